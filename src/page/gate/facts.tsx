import type { ComponentChildren } from 'preact';
import type { Gate, Release } from '../base/types.ts';
import { countOf } from '../charts/format.ts';
import { type Counts, totalOf, useChecks } from './checks.ts';
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

const passedShare = ({ passes, fails }: Counts) => Math.round((100 * passes) / (passes + fails));

function passingNote({ status }: Gate, counts: Counts | undefined): string {
  if (counts && counts.passes + counts.fails > 0) return `≈ ${passedShare(counts)}% of checks pass`;
  if (status === 'Disabled') return 'while it is disabled';
  if (!counts) return '–';
  return counts.checks > 0 ? 'checks without outcome' : 'no checks in 24 hours';
}

function releaseFact(release: Release | null | undefined) {
  if (release === undefined) return { value: '–', note: '' };
  if (release === null) return { value: 'None', note: 'rules are edited directly' };
  const value = `Phase ${phaseNumber(release)} of ${release.phases.length}`;
  return { value, note: stateInWords(release) };
}

/** The four facts of a gate: who passes, how often it is checked, its release, and its lifetime. */
export function GateFacts({ gate, staleReason }: { gate: Gate; staleReason: string }) {
  const hours = useChecks(gate.id, 1).value?.data.hours;
  const counts = hours && totalOf(hours);
  const release = useRelease(gate.id);
  return (
    <dl class="gate-facts" aria-label="Summary">
      <Fact title="Who passes" value={passingInWords(gate)} note={passingNote(gate, counts)} />
      <Fact
        title="Checked"
        value={counts ? `${countOf(counts.checks)} times` : '–'}
        note="in 24 hours"
      />
      <Fact title="Release" {...releaseFact(release)} />
      <Fact
        title="Lifetime"
        value={gate.type === 'TEMPORARY' ? 'Temporary' : 'Permanent'}
        note={gate.typeReason === 'NONE' ? 'not stale' : staleReason}
      />
    </dl>
  );
}
