import { useCallback } from 'preact/hooks';
import { isEqual } from '../../base/equal.ts';
import { isMeasured } from '../base/rule_words.ts';
import type { Gate, Release } from '../base/types.ts';
import type { Editing, KindPage } from '../entity/kind.ts';
import { type FrameProps, Rules, withID } from '../rules/rules.tsx';
import { TryIt } from '../try/try_it.tsx';
import { totalOf, useChecks } from './checks.ts';
import { ChecksChart } from './checks_chart.tsx';
import { EveryoneElse, ReadRule } from './read_rule.tsx';
import { isSetBy, ReleaseBanner, useRelease } from './release.tsx';
import { RuleLift } from './rule_lift.tsx';

interface GateRulesProps {
  editing: Editing<Gate>;
  releases: KindPage<Release>;
}

/** The rules of a gate: read as sentences, opened in place, tried at the side. */
export function GateRules({ editing, releases }: GateRulesProps) {
  const { stored, value: gate, lock, errors, set } = editing;
  const release = useRelease(gate.id);
  const measures = stored.measureMetricLifts;
  const hours = useChecks(gate.id, 1).value?.data.hours;
  const frame = useCallback(
    ({ rule, index, hasErrors, card }: FrameProps) => {
      const before = stored.rules.find(({ id }) => id === rule.id);
      const own = hours?.filter(({ ruleID }) => ruleID === rule.id);
      const releaseLock = release && before && isSetBy(release, before.name);
      return (
        <ReadRule
          rule={rule}
          index={index}
          passes={own && totalOf(own).passes}
          lift={
            measures &&
            before &&
            isMeasured(before) && <RuleLift gateID={gate.id} ruleID={before.id} />
          }
          lock={releaseLock ? 'set by the release' : lock === undefined ? undefined : ''}
          isChanged={!before || !isEqual(before, rule)}
          hasErrors={hasErrors}
        >
          {card}
        </ReadRule>
      );
    },
    [stored, measures, release, hours, lock],
  );
  return (
    <div class="beside">
      <div class="res-main">
        {release && <ReleaseBanner releases={releases} release={release} />}
        <section class="box" aria-label="Rules">
          <div class="box-head">
            <h2 class="box-title">Rules</h2>
            <span class="small">checked from top to bottom, the first match wins</span>
          </div>
          <Rules
            rules={gate.rules}
            whole={withID}
            lock={lock}
            errors={errors}
            otherwise={<EveryoneElse fails={hours && totalOf(hours).fails} />}
            frame={frame}
            onChange={(rules) => set({ rules })}
          />
        </section>
        <ChecksChart id={gate.id} />
      </div>
      <TryIt tried={{ kind: 'gate', entity: gate }} isShort />
    </div>
  );
}
