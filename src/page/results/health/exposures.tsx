import { useState } from 'preact/hooks';
import { sumOf } from '../../../base/numbers.ts';
import { dayLength } from '../../../base/time.ts';
import { axisNumber, countOf, dayLabel } from '../../charts/format.ts';
import { Legend } from '../../charts/legend.tsx';
import { LineChart, type Series } from '../../charts/line_chart.tsx';
import { countTicks } from '../../charts/scale.ts';
import { TableOf } from '../../charts/table_of.tsx';
import { Button } from '../../ui/button.tsx';
import { Seg } from '../../ui/seg.tsx';
import type { GroupExposures } from '../frame/api_types.ts';
import { exposuresAsCSV } from '../frame/csv.ts';
import { download } from '../frame/download.ts';

interface ExposuresProps {
  id: string;
  groups: GroupExposures[];
  order: string[];
  planned: number | null;
  plannedEnd: number | null;
}

const inOrderOf = (order: string[]) => (one: GroupExposures, other: GroupExposures) =>
  order.indexOf(one.groupID) - order.indexOf(other.groupID);

const daily = (points: GroupExposures['results']) =>
  points.map(({ date, exposures }, index) => ({
    date,
    exposures: exposures - (points[index - 1]?.exposures ?? 0),
  }));

function seriesOf(groups: GroupExposures[], isDaily: boolean): Series[] {
  return groups.map(({ groupName, results }, index) => ({
    name: groupName,
    index,
    points: (isDaily ? daily(results) : results).map(({ date, exposures }) => ({
      time: Date.parse(date),
      value: exposures,
    })),
  }));
}

const lastOf = ({ results }: GroupExposures) => results.at(-1)?.exposures ?? 0;

/** The exposed units of each group by day, and how far they are from the plan. */
export function Exposures({ id, groups: unordered, order, planned, plannedEnd }: ExposuresProps) {
  const [view, setView] = useState('total');
  const groups = unordered.toSorted(inOrderOf(order));
  const series = seriesOf(groups, view === 'daily');
  const total = sumOf(groups.map(lastOf));
  const days = Math.max(1, ...groups.map(({ results }) => results.length));
  const perDay = total / days;
  const needed = planned === null ? null : planned / Math.max(groups.length, 1);
  const largest = Math.max(
    0,
    ...series.flatMap(({ points }) => points.map(({ value }) => value ?? 0)),
  );
  const hasTarget = needed !== null && view === 'total';
  const ticks = countTicks(Math.max(largest, hasTarget ? needed : 0));
  const lastDay = Math.max(0, ...series.flatMap(({ points }) => points.map(({ time }) => time)));
  const reached =
    planned !== null && planned > total && perDay > 0
      ? lastDay + Math.ceil((planned - total) / perDay) * dayLength
      : null;
  const parts = groups.map((group) => `${group.groupName} ${countOf(lastOf(group))}`).join(', ');
  const label = `Units by group and day: ${parts}${needed === null ? '' : `; ${countOf(Math.ceil(needed))} each needed`}`;
  const table = {
    heads: ['Day', ...series.map(({ name }) => name)],
    rows: (series[0]?.points ?? []).map(({ time }) => [
      dayLabel(time),
      ...series.map(({ points }) =>
        countOf(points.find((point) => point.time === time)?.value ?? 0),
      ),
    ]),
  };
  return (
    <section class="box" aria-label="Exposures">
      <div class="box-head">
        <h2 class="box-title">Exposures</h2>
        <span class="small">{view === 'total' ? 'units, cumulative' : 'new units per day'}</span>
        <div class="box-side">
          <Legend entries={series} />
          <Button look="link" onClick={() => download(exposuresAsCSV(groups), `${id} exposures`)}>
            CSV
          </Button>
          <Seg
            label="View"
            options={{ total: 'Total', daily: 'Per day' }}
            value={view}
            onChoose={setView}
          />
        </div>
      </div>
      <div class="expo">
        <div class="expo-chart">
          <TableOf name="exposures" table={table}>
            <LineChart
              label={label}
              series={series}
              ticks={ticks}
              format={axisNumber}
              height={124}
              until={plannedEnd ?? undefined}
              target={
                hasTarget
                  ? { value: needed, words: `${countOf(Math.ceil(needed))} a group needed` }
                  : undefined
              }
            />
          </TableOf>
        </div>
        <dl class="figs">
          <div class="fig">
            <dd class="fig-v">{countOf(total)}</dd>
            <dt class="fig-l">
              {planned === null
                ? 'units'
                : `of ${countOf(planned)} units (${Math.round((total / planned) * 100)}%)`}
            </dt>
          </div>
          <div class="fig">
            <dd class="fig-v">{`${countOf(Math.round(perDay))} a day`}</dd>
            <dt class="fig-l">
              {reached === null ? 'on average' : `target reached on ${dayLabel(reached)}`}
            </dt>
          </div>
        </dl>
      </div>
    </section>
  );
}
