import { dayLength } from '../../../base/time.ts';
import { get } from '../../base/api.ts';
import { chance, dayLabel, hourLabel } from '../../charts/format.ts';
import { LineChart } from '../../charts/line_chart.tsx';
import { hourTicks } from '../../charts/scale.ts';
import { letterOf } from '../../charts/sign.tsx';
import { Stacked } from '../../charts/stacked.tsx';
import { TableOf } from '../../charts/table_of.tsx';
import type { Learned } from '../frame/api_types.ts';

const maxDays = 14;

type Hour = Learned['hours'][number];

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export async function readHours(path: string, start: number, { hours }: Learned): Promise<Hour[]> {
  const last = hours.at(-1)?.time;
  if (last === undefined) return [];
  const before = Array.from({ length: maxDays - 1 }, (_, index) => last - (index + 1) * dayLength)
    .filter((time) => dateOf(time) >= dateOf(start))
    .toReversed();
  const days = await Promise.all(
    before.map((time) => get<Learned>(`${path}?date=${dateOf(time)}`).then(({ data }) => data)),
  );
  return [...days.flatMap((day) => day.hours), ...hours];
}

export const exactHour = (time: number) => `${dayLabel(time)}, ${hourLabel(time)}`;

const tickName = (time: number) => (time % dayLength === 0 ? dayLabel(time) : hourLabel(time));

interface HourChartsProps {
  learned: Learned;
  hours: Hour[];
  threshold: number;
}

const hourPercent = (hour: Hour, name: string, of: 'probabilityOfBest' | 'allocation') => {
  const value = hour.variants.find((variant) => variant.name === name)?.[of] ?? null;
  return value === null || of === 'allocation' ? value : value * 100;
};

const whole = (value: number | null) => (value === null ? '–' : `${Math.round(value)}%`);

function hoursTable(hours: Hour[], names: string[], of: 'probabilityOfBest' | 'allocation') {
  return {
    heads: ['Hour', ...names],
    rows: hours.map((hour) => [
      exactHour(hour.time),
      ...names.map((name) => whole(hourPercent(hour, name, of))),
    ]),
  };
}

export function HourCharts({
  learned: { variants, explorationEndTime },
  hours,
  threshold,
}: HourChartsProps) {
  const names = variants.map(({ name }) => name);
  const [first = 0, last = 0] = [hours[0]?.time, hours.at(-1)?.time];
  const isWithin = explorationEndTime > first && explorationEndTime < last;
  const latest = variants.map(({ name, probabilityOfBest, allocation }) => ({
    name,
    best: `${name} ${chance(probabilityOfBest)}`,
    traffic: `${name} ${Math.round(allocation)}%`,
  }));
  return (
    <div class="two">
      <section class="box" aria-label="Probability of being best">
        <div class="box-head">
          <h2 class="box-title">Probability of being best</h2>
        </div>
        <div class="box-body">
          <TableOf name="best" table={hoursTable(hours, names, 'probabilityOfBest')}>
            <LineChart
              label={`Probability of being best by hour, now ${latest.map(({ best }) => best).join(', ')}`}
              series={names.map((name, place) => ({
                name: `${letterOf(place)} ${name}`,
                index: place + 1,
                points: hours.map((hour) => ({
                  time: hour.time,
                  value: hourPercent(hour, name, 'probabilityOfBest'),
                })),
              }))}
              ticks={[0, 20, 40, 60, 80, 100]}
              format={(value) => `${Math.round(value)}%`}
              target={{ value: threshold, words: '' }}
              marks={isWithin ? [{ time: explorationEndTime, words: 'exploring ends' }] : []}
              nameOf={tickName}
              tipName={exactHour}
              xTicks={hourTicks}
              hasEndLabels
            />
          </TableOf>
        </div>
      </section>
      <section class="box" aria-label="Traffic">
        <div class="box-head">
          <h2 class="box-title">Traffic</h2>
        </div>
        <div class="box-body">
          <TableOf name="traffic" table={hoursTable(hours, names, 'allocation')}>
            <Stacked
              label={`Traffic by hour, now ${latest.map(({ traffic }) => traffic).join(', ')}`}
              layers={names.map((name, place) => ({
                name: `${letterOf(place)} ${name}`,
                index: place + 1,
              }))}
              points={hours.map((hour) => ({
                time: hour.time,
                shares: names.map((name) => hourPercent(hour, name, 'allocation') ?? 0),
              }))}
              nameOf={tickName}
              tipName={exactHour}
            />
          </TableOf>
        </div>
      </section>
    </div>
  );
}
