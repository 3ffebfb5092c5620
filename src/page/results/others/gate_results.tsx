import { get } from '../../base/api.ts';
import { isMeasured } from '../../base/rule_words.ts';
import type { Gate, Rule } from '../../base/types.ts';
import { useGet } from '../../base/use.ts';
import { percent } from '../../base/words.ts';
import { countOf, dayLabel } from '../../charts/format.ts';
import { ReadStatus } from '../../ui/unread.tsx';
import type { Lifts } from '../frame/api_types.ts';
import { LoadAgain } from '../frame/load_again.tsx';
import { LiftsTable } from './lifts.tsx';
import { liftsInWords } from './lifts_words.ts';

const sides = { control: 'Fails', test: 'Passes' };

const liftUnitsInWords = ({ monitoringMetrics: [first] }: Lifts) =>
  first
    ? `${countOf(first.testUnits ?? 0)} units that pass, ${countOf(first.controlUnits ?? 0)} that fail`
    : '';

const RuleLifts = ({ rule, lifts }: { rule: Rule; lifts: Lifts }) => (
  <section class="box" aria-label={rule.name}>
    <div class="box-head">
      <h2 class="box-title">{rule.name}</h2>
      <span class="small">
        {[
          `${percent(rule.passPercentage)} pass`,
          ...(lifts.ds === null
            ? []
            : [`data to ${dayLabel(Date.parse(lifts.ds))}`, liftUnitsInWords(lifts)]),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
    <p class="box-verdict">{liftsInWords(lifts, 'Passing').sentence}</p>
    <LiftsTable lifts={lifts} sides={sides} name={`Lifts of ${rule.name}`} />
  </section>
);

/** The lifts of each rule that passes some of its units, but not all. */
export function GateResults({ gate: { id, rules } }: { gate: Gate }) {
  const measured = rules.filter(isMeasured);
  const path = `/gates/${encodeURIComponent(id)}`;
  const addresses = measured.map(
    (rule) => `${path}/rules/${encodeURIComponent(rule.id)}/pulse_results`,
  );
  const { value, ...got } = useGet(addresses.length > 0 ? `lifts ${addresses.join(' ')}` : '', () =>
    Promise.all(addresses.map((address) => get<Lifts>(address).then(({ data }) => data))),
  );
  if (measured.length === 0)
    return (
      <p>
        Only rules that pass more than 0% and less than 100% of units are measured. This gate has
        none.
      </p>
    );
  if (!value) return <ReadStatus {...got} lines={5} />;
  return (
    <div class="res-main">
      {measured.map((rule, at) => {
        const lifts = value[at];
        return lifts && <RuleLifts key={rule.id} rule={rule} lifts={lifts} />;
      })}
      <div>
        <LoadAgain path={path} />
      </div>
    </div>
  );
}
