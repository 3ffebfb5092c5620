import type { ComponentChildren } from 'preact';
import { countOf } from '../charts/format.ts';
import type { Gate } from '../types.ts';
import { totalOf, useChecks } from './checks.ts';
import { phaseNumber, stateInWords, useRelease } from './release.tsx';
import { whoPasses } from './sentence.tsx';

interface FactProps {
  title: string;
  value: ComponentChildren;
  note: ComponentChildren;
}

const Fact = ({ title, value, note }: FactProps) => (
  <div>
    <dt>{title}</dt>
    <dd>
      <b>{value}</b>
      <span>{note}</span>
    </dd>
  </div>
);

function passingInWords({ status, rules }: Gate): string {
  if (status === 'Launched') return 'Everyone';
  return status === 'In Progress' ? whoPasses(rules) : 'No one';
}

function useWords({ id, status, type, typeReason }: Gate, stale: string) {
  const { value } = useChecks(id, 1);
  const hours = value?.data.hours;
  const { checks, passes, fails } = totalOf(hours ?? []);
  const share = passes + fails > 0 ? Math.round((100 * passes) / (passes + fails)) : undefined;
  const off = status === 'Disabled' ? 'while it is disabled' : '';
  return {
    passing:
      share === undefined ? off || 'no checks to tell the share' : `≈ ${share}% of checks pass`,
    checked: hours ? `${countOf(checks)} times` : '–',
    kind: type === 'TEMPORARY' ? 'Temporary' : 'Permanent',
    cleanUp: typeReason === 'NONE' ? 'in use or new' : stale,
  };
}

/** The four facts of a gate: who passes, how often it is checked, its release, and its kind. */
export function GateFacts({ gate, stale }: { gate: Gate; stale: string }) {
  const words = useWords(gate, stale);
  const release = useRelease(gate.id);
  return (
    <dl class="gate-facts" aria-label="Summary">
      <Fact title="Who passes" value={passingInWords(gate)} note={words.passing} />
      <Fact title="Checked" value={words.checked} note="in 24 hours" />
      {release ? (
        <Fact
          title="Release"
          value={`Phase ${phaseNumber(release)} of ${release.phases.length}`}
          note={stateInWords(release)}
        />
      ) : (
        <Fact title="Release" value="None" note="rules change by hand" />
      )}
      <Fact title="Lifetime" value={words.kind} note={words.cleanUp} />
    </dl>
  );
}
