import { useState } from 'preact/hooks';
import { Bars } from '../charts/bars.tsx';
import { countOf } from '../charts/format.ts';
import { TableOf } from '../charts/table_of.tsx';
import { Loading } from '../ui/loading.tsx';
import { ProblemNote } from '../ui/problem.tsx';
import { Seg } from '../ui/seg.tsx';
import { blocksOf, type ChecksBlock, type GateChecks, totalOf, useChecks } from './checks.ts';

const ranges = {
  1: { label: '24 h', size: 1, per: 'per hour', unit: 'hours', within: '24 hours' },
  7: { label: '7 d', size: 6, per: 'per 6 hours', unit: 'bars of 6 hours', within: '7 days' },
  30: { label: '30 d', size: 24, per: 'per day', unit: 'bars of 24 hours', within: '30 days' },
};

type Days = keyof typeof ranges;

const labels = Object.fromEntries(Object.entries(ranges).map(([days, { label }]) => [days, label]));

const hourFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

const shortName = (days: Days) => (time: number) =>
  (days === 1 ? hourFormat : dayFormat).format(time);

const wholeName = (time: number) => `${dayFormat.format(time)}, ${hourFormat.format(time)}`;

const barParts = ({ checks, passes, fails }: ChecksBlock) => [
  passes,
  fails,
  checks - passes - fails,
];

const partNames = ['passed', 'did not pass', 'outcome not reported'];
const classes = ['b-on', 'b-off', 'b-none'];

function checksSentence(blocks: ChecksBlock[], { per, within }: (typeof ranges)[Days]): string {
  const { checks, passes, fails } = totalOf(blocks);
  if (checks === 0) return `Checks ${per}: none in ${within}`;
  const most = blocks.reduce((one, other) => (other.checks > one.checks ? other : one));
  const share =
    passes + fails > 0 ? `, ${Math.round((100 * passes) / (passes + fails))}% passed` : '';
  return `Checks ${per}: ${countOf(checks)} in ${within}${share}, most at ${wholeName(most.time)} (${countOf(most.checks)})`;
}

interface DrawnChecksProps {
  checks: GateChecks;
  days: Days;
}

function DrawnChecks({ checks, days }: DrawnChecksProps) {
  const range = ranges[days];
  const blocks = blocksOf(checks, days, range.size);
  const used = partNames.map((_, index) =>
    blocks.some((block) => (barParts(block)[index] ?? 0) > 0),
  );
  const isUsed = (index: number) => index < 2 || used[index] === true;
  const cells = (block: ChecksBlock) => barParts(block).filter((_, index) => isUsed(index));
  const names = partNames.filter((_, index) => isUsed(index));
  const tipOf = (index: number) => {
    const block = blocks[index];
    if (!block) return [];
    const amounts = cells(block).map((amount, part) => `${countOf(amount)} ${names[part]}`);
    return [wholeName(block.time), ...amounts];
  };
  return (
    <>
      <ul class="legend">
        {names.map((name, index) => (
          <li key={name}>
            <svg class="swatch2" viewBox="0 0 10 10" aria-hidden="true">
              <rect class={classes[index]} width="10" height="10" rx="2" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <TableOf
        name={`Checks ${range.per}`}
        table={{
          heads: ['From', ...names],
          rows: blocks.map((block) => [wholeName(block.time), ...cells(block).map(countOf)]),
        }}
      >
        <Bars
          label={checksSentence(blocks, range)}
          bars={blocks.map((block) => ({ time: block.time, parts: barParts(block) }))}
          classes={classes}
          unit={range.unit}
          nameOf={shortName(days)}
          tipOf={tipOf}
        />
      </TableOf>
    </>
  );
}

export function ChecksChart({ id }: { id: string }) {
  const [days, setDays] = useState<Days>(1);
  const { value, problem, again } = useChecks(id, days);
  const choose = (chosen: string) => setDays(chosen === '30' ? 30 : chosen === '7' ? 7 : 1);
  return (
    <section class="box" aria-label="Checks">
      <div class="box-head">
        <h2 class="box-title">Checks</h2>
        <span class="small">{ranges[days].per}</span>
        <div class="box-side">
          <Seg label="Time" options={labels} value={String(days)} onChoose={choose} />
        </div>
      </div>
      <div class="box-body">
        {problem && !value && <ProblemNote problem={problem} onAgain={again} />}
        {!problem && !value && <Loading lines={4} />}
        {value && <DrawnChecks checks={value.data} days={days} />}
      </div>
    </section>
  );
}
