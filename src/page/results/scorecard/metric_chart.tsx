import { nice, ticks } from 'd3-array';
import { dayLength } from '../../../base/time.ts';
import type { ListedValue } from '../../../data/metric_values/schema.ts';
import { getAll } from '../../base/api.ts';
import type { Metric } from '../../base/types.ts';
import { useGet } from '../../base/use.ts';
import { amount, dayLabel } from '../../charts/format.ts';
import { LineChart, type Point } from '../../charts/line_chart.tsx';
import { TableOf } from '../../charts/table_of.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Section } from '../../ui/section.tsx';
import { ReadStatus } from '../../ui/unread.tsx';

const days = 28;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

async function readMetricValues({ name, type }: Metric, today: number): Promise<ListedValue[]> {
  const query = new URLSearchParams({
    startDate: dayOf(today - (2 * days - 1) * dayLength),
    endDate: dayOf(today),
    metricName: name,
    metricType: type,
  });
  const listed = await getAll<ListedValue>(`/metrics/values?${query}`);
  const { unitType } = listed.find((one) => one.unitType === 'overall') ?? { ...listed[0] };
  return listed.filter((one) => one.unitType === unitType);
}

function valuePoints(values: ListedValue[], first: number, shift: number): Point[] {
  const known = new Map(values.map(({ date, value }) => [Date.parse(date), value]));
  return Array.from({ length: days }, (_, index) => {
    const time = first + index * dayLength;
    return { time: time + shift, value: known.get(time) ?? null };
  });
}

/** Beyond this, the difference of two values can overflow, and ticks are their ends. */
const largestDrawn = 1e300;

function ticksOf(values: number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (Math.max(-least, most) > largestDrawn) return [least, 0, most];
  return ticks(...nice(least, most || (least === 0 ? 1 : 0), 4), 4);
}

function DrawnValues({
  metric,
  values,
  today,
}: {
  metric: Metric;
  values: ListedValue[];
  today: number;
}) {
  const first = today - (days - 1) * dayLength;
  const now = valuePoints(values, first, 0);
  const before = valuePoints(values, first - days * dayLength, days * dayLength);
  const hasBefore = before.some(({ value }) => value !== null);
  const latest = now.findLast(({ value }) => value !== null);
  const last = latest ? amount(latest.value ?? 0) : 'no value';
  const table = {
    heads: ['Day', 'Value', '28 days before'],
    rows: now.map(({ time, value }, at) => [
      dayLabel(time),
      ...[value, before[at]?.value ?? null].map((one) => (one === null ? '–' : amount(one))),
    ]),
  };
  return (
    <TableOf name="metric values" table={table}>
      <div class="metric-chart">
        <LineChart
          label={`${metric.name} by day: ${last}${latest ? ` on ${dayLabel(latest.time)}` : ''}`}
          series={[
            ...(hasBefore ? [{ name: '28 days before', end: '', index: 0, points: before }] : []),
            { name: 'Value', end: last, index: 1, points: now },
          ]}
          ticks={ticksOf(values.map(({ value }) => value))}
          format={amount}
          height={190}
          hasEndLabels
        />
      </div>
    </TableOf>
  );
}

/** The values of a metric on the last 28 days, and dashed those of the 28 days before. */
export function MetricChart({ metric }: { metric: Metric }) {
  const today = Math.floor(Date.now() / dayLength) * dayLength;
  const { value, ...got } = useGet(`values of ${metric.id}`, () => readMetricValues(metric, today));
  if (!value) return <ReadStatus {...got} lines={3} />;
  const [first] = value;
  return (
    <Section title={`Last ${days} days`}>
      {first ? (
        <>
          <p class="quiet">
            {`Of ${first.unitType === 'overall' ? 'all units' : first.unitType}, by day (UTC). Dashed: the ${days} days before.`}
          </p>
          <DrawnValues metric={metric} values={value} today={today} />
        </>
      ) : (
        <Empty title="No values yet." />
      )}
    </Section>
  );
}
