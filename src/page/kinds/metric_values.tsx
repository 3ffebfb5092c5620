import type { ListedValue } from '../../resources/metric_values/schema.ts';
import { dayLength } from '../../shared/durations.ts';
import { getAll } from '../api.ts';
import type { Metric } from '../types.ts';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { ReadStatus } from '../ui/unread.tsx';
import { useGet } from '../use.ts';
import { number } from '../words.ts';

const days = 14;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Oldest first: the values of all units together, or else of the first unit type in the response. */
async function read({ name, type }: Metric): Promise<ListedValue[]> {
  const now = Date.now();
  const query = new URLSearchParams({
    startDate: dayOf(now - (days - 1) * dayLength),
    endDate: dayOf(now),
    metricName: name,
    metricType: type,
  });
  const listed = await getAll<ListedValue>(`/metrics/values?${query}`);
  const { unitType } = listed.find((one) => one.unitType === 'overall') ?? { ...listed[0] };
  return listed.filter((one) => one.unitType === unitType).reverse();
}

const width = 600;
const height = 160;

function Chart({ points }: { points: ListedValue[] }) {
  const values = points.map(({ value }) => value);
  const times = points.map(({ date }) => Date.parse(date));
  // Halves each operand, because the difference of two finite numbers can overflow.
  const share = (value: number, all: number[]) =>
    (value / 2 - Math.min(...all) / 2) / (Math.max(...all) / 2 - Math.min(...all) / 2);
  const yOf = (value: number) => (height * (1 - share(value, [0, ...values, 1e-9]))).toFixed(1);
  const at = (value: number, index: number) =>
    `${(width * share(times[index] ?? 0, times)).toFixed(1)},${yOf(value)}`;
  const words = points.map(({ date, value }) => `${date}: ${number(value)}`).join(', ');
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <line class="chart-ground" x1="0" x2={width} y1={yOf(0)} y2={yOf(0)} />
      <polyline class="chart-line" points={values.map(at).join(' ')} />
    </svg>
  );
}

/** Displays the values of the last 14 days. */
export function MetricValues({ metric }: { metric: Metric }) {
  const { value, ...got } = useGet(`values of ${metric.id}`, () => read(metric));
  if (!value) return <ReadStatus {...got} lines={3} />;
  const [first, last] = [value[0], value.at(-1)];
  return (
    <Section title={`Last ${days} days`}>
      {value.length === 0 && <Empty title="No values yet." />}
      {value.length > 1 && <Chart points={value} />}
      {first && last && (
        <p class="quiet">{`${first.unitType}, ${first.date}: ${number(first.value)} · ${last.date}: ${number(last.value)}`}</p>
      )}
    </Section>
  );
}
