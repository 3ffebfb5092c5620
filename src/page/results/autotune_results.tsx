import { dayLength } from '../../shared/durations.ts';
import { get } from '../api.ts';
import { AmountInterval } from '../charts/amount_interval.tsx';
import { chance, countOf, dayLabel, hourLabel, mean } from '../charts/format.ts';
import { LineChart } from '../charts/line_chart.tsx';
import { hourTicks } from '../charts/scale.ts';
import { Key, letterOf } from '../charts/sign.tsx';
import { Stacked } from '../charts/stacked.tsx';
import { TableOf } from '../charts/table_of.tsx';
import type { Autotune } from '../types.ts';
import { Scrolled } from '../ui/scrolled.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { useGet, useRead } from '../use.ts';
import { number } from '../words.ts';
import type { Learned } from './api_types.ts';
import { autotuneInWords } from './autotune_words.ts';
import { VerdictLine } from './lifts.tsx';

const maxDays = 14;

type Hour = Learned['hours'][number];

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

async function readHours(path: string, start: number, { hours }: Learned): Promise<Hour[]> {
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

const exactHour = (time: number) => `${dayLabel(time)}, ${hourLabel(time)}`;

const tickName = (time: number) => (time % dayLength === 0 ? dayLabel(time) : hourLabel(time));

interface HoursProps {
  learned: Learned;
  hours: Hour[];
  threshold: number;
}

const percentOf = (hour: Hour, name: string, of: 'probabilityOfBest' | 'allocation') => {
  const value = hour.variants.find((variant) => variant.name === name)?.[of] ?? null;
  return value === null || of === 'allocation' ? value : value * 100;
};

const whole = (value: number | null) => (value === null ? '–' : `${Math.round(value)}%`);

function tableOf(hours: Hour[], names: string[], of: 'probabilityOfBest' | 'allocation') {
  return {
    heads: ['Hour', ...names],
    rows: hours.map((hour) => [
      exactHour(hour.time),
      ...names.map((name) => whole(percentOf(hour, name, of))),
    ]),
  };
}

function Charts({ learned: { variants, explorationEndTime }, hours, threshold }: HoursProps) {
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
          <TableOf name="best" table={tableOf(hours, names, 'probabilityOfBest')}>
            <LineChart
              label={`Probability of being best by hour, now ${latest.map(({ best }) => best).join(', ')}`}
              series={names.map((name, place) => ({
                name: `${letterOf(place)} ${name}`,
                index: place + 1,
                points: hours.map((hour) => ({
                  time: hour.time,
                  value: percentOf(hour, name, 'probabilityOfBest'),
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
          <TableOf name="traffic" table={tableOf(hours, names, 'allocation')}>
            <Stacked
              label={`Traffic by hour, now ${latest.map(({ traffic }) => traffic).join(', ')}`}
              layers={names.map((name, place) => ({
                name: `${letterOf(place)} ${name}`,
                index: place + 1,
              }))}
              points={hours.map((hour) => ({
                time: hour.time,
                shares: names.map((name) => percentOf(hour, name, 'allocation') ?? 0),
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

function Variants({ variants, isOfValues }: Pick<Learned, 'variants'> & { isOfValues: boolean }) {
  const format = (value: number | null) => mean(value, !isOfValues);
  const learnedOf = ({ mean: own, rate }: Learned['variants'][number]) => (isOfValues ? own : rate);
  const bounds = variants.flatMap(({ interval }) =>
    interval ? [interval.lower, interval.upper] : [],
  );
  const ends: [number, number] = [Math.min(...bounds), Math.max(...bounds)];
  return (
    <div class="box">
      <Scrolled as="section" class="scrolled" aria-label="Variants">
        <table class="sc sc-auto">
          <thead>
            <tr>
              <th class="c-first" scope="col">
                Variant
              </th>
              <th class="c-num" scope="col">
                Units
              </th>
              <th class="c-num" scope="col">
                {isOfValues ? 'Mean value' : 'Success rate'}
              </th>
              <th class="c-iv" scope="col">
                95% interval
              </th>
              <th class="c-num" scope="col">
                Best
              </th>
              <th class="c-num" scope="col">
                Traffic now
              </th>
            </tr>
          </thead>
          <tbody>
            {variants.map((variant, place) => (
              <tr key={variant.name}>
                <th class="c-first" scope="row">
                  <span class="sc-name">
                    <Key index={place} color={place + 1} />
                    {variant.name}
                  </span>
                </th>
                <td class="c-num">{countOf(variant.units)}</td>
                <td class="c-num">{format(learnedOf(variant))}</td>
                <td class="c-iv">
                  <AmountInterval
                    value={variant.interval && learnedOf(variant)}
                    interval={variant.interval}
                    ends={ends}
                    label={
                      variant.interval
                        ? `${variant.name}: ${format(variant.interval.lower)} to ${format(variant.interval.upper)}`
                        : `${variant.name}: no interval yet`
                    }
                  />
                </td>
                <td class="c-num">{chance(variant.probabilityOfBest)}</td>
                <td class="c-num">{`${Math.round(variant.allocation)}%`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </div>
  );
}

function keptInWords({ longtermExplorationAllocation: kept, variants }: Autotune): string[] {
  return kept ? [`Each variant keeps ${number((100 * kept) / variants.length)}%`] : [];
}

/** The results of an autotune: its verdict, both charts by hour, and its variants. */
export function AutotuneResults({ autotune }: { autotune: Autotune }) {
  const { id, startTime, winnerThreshold, optimizationParameter } = autotune;
  const path = `/autotunes/${encodeURIComponent(id)}/results`;
  const { value, ...got } = useRead<Learned>(path);
  const learned = value?.data;
  const hours = useGet(learned ? `hours of ${id} to ${learned.time}` : '', () =>
    learned ? readHours(path, startTime ?? 0, learned) : Promise.resolve([]),
  );
  if (!learned) return <ReadStatus {...got} lines={5} />;
  const verdict = autotuneInWords(autotune, learned, Date.now());
  return (
    <div class="res-main">
      <VerdictLine
        verdict={verdict}
        method={[
          learned.time === null ? 'No hour yet' : `Data to ${exactHour(learned.time)} UTC, by hour`,
          'Shares follow the probability of being best',
          ...keptInWords(autotune),
          'An autotune earns, it proves nothing',
        ]}
      />
      {hours.value && hours.value.length > 1 ? (
        <Charts
          learned={learned}
          hours={hours.value}
          threshold={Number.parseFloat(winnerThreshold)}
        />
      ) : (
        <ReadStatus {...hours} lines={5} />
      )}
      <Variants variants={learned.variants} isOfValues={optimizationParameter === 'value'} />
    </div>
  );
}
