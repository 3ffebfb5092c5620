import { useRead } from '../base/use.ts';
import { countOf, dayLabel } from '../charts/format.ts';
import { Mini } from '../charts/mini.tsx';
import { Change } from '../charts/sign.tsx';
import type { Lifts } from '../results/frame/api_types.ts';
import { boundsOfInterval, countingOf } from '../results/frame/counting.ts';
import type { Result } from '../results/frame/types.ts';

const confidence = 95;
const maxMetrics = 2;

function RuleLiftRow({ result }: { result: Result }) {
  const { metricName, percentChange: value } = result;
  const counting = countingOf(result);
  const bounds = boundsOfInterval(result.percentConfidenceInterval);
  return (
    <li class="rule2-row">
      <span>{metricName}</span>
      <Mini {...{ value, bounds, counting, confidence }} width={110} />
      <Change value={value} counting={counting} />
    </li>
  );
}

function unitsIn(units: readonly (number | null)[]): string {
  const [test, control] = units.map((count) => countOf(count ?? 0));
  return test === control ? `${test} units a side` : `${test} units over ${control}`;
}

/** The measured lift of a rule on the first monitoring metrics; nothing before there are results. */
export function RuleLift({ gateID, ruleID }: { gateID: string; ruleID: string }) {
  const path = `/gates/${encodeURIComponent(gateID)}`;
  const { value } = useRead<Lifts>(`${path}/rules/${encodeURIComponent(ruleID)}/pulse_results`);
  const {
    ds = null,
    startTime = null,
    monitoringMetrics: [first, ...others] = [],
  } = value?.data ?? {};
  if (ds === null || !first) return null;
  const since = startTime === null ? '' : ` since ${dayLabel(startTime)}`;
  return (
    <div class="rule2-lift">
      <p class="small">
        {`Measured lift of passing over failing: ${unitsIn([first.testUnits, first.controlUnits])}${since}. `}
        <a href={`${path}/results`}>Results</a>
      </p>
      <ul>
        {[first, ...others].slice(0, maxMetrics).map((result) => (
          <RuleLiftRow key={result.metricID} result={result} />
        ))}
      </ul>
    </div>
  );
}
