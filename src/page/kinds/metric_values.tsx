import type { ListedValue } from '../../resources/metric_values/schema.ts';
import { dayLength } from '../../shared/durations.ts';
import { getAll } from '../api.ts';
import type { Metric } from '../types.ts';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { Unread } from '../ui/unread.tsx';
import { useGet } from '../use.ts';
import { number } from '../words.ts';

const days = 14;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The value of each of the last days that has one, oldest first: that of all units together, where there is one. */
async function read({ name, type }: Metric): Promise<ListedValue[]> {
  const now = Date.now();
  const query = new URLSearchParams({
    startDate: dayOf(now - (days - 1) * dayLength),
    endDate: dayOf(now),
    metricName: name,
    metricType: type,
  });
  const listed = await getAll<ListedValue>(`/metrics/values?${query}`);
  return [...Map.groupBy(listed, ({ date }) => date).values()]
    .flatMap(
      (values) => values.find(({ unitType }) => unitType === 'overall') ?? values.slice(0, 1),
    )
    .reverse();
}

const width = 600;
const height = 160;

function Chart({ points }: { points: ListedValue[] }) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const at = ({ value }: ListedValue, index: number) => {
    const x = points.length > 1 ? (index / (points.length - 1)) * width : width / 2;
    return `${x.toFixed(1)},${(height - ((value - low) / (high - low)) * height).toFixed(1)}`;
  };
  const words = points.map(({ date, value }) => `${date}: ${number(value)}`).join(', ');
  return (
    <svg
      class="chart"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={words}
    >
      <line class="chart-ground" x1="0" x2={width} y1={height} y2={height} />
      <polyline class="chart-line" points={points.map(at).join(' ')} />
    </svg>
  );
}

/** The values of the last days. */
export function MetricValues({ metric }: { metric: Metric }) {
  const { value, ...got } = useGet(`values of ${metric.id}`, () => read(metric));
  if (!value) return <Unread {...got} lines={3} />;
  const [first, last] = [value[0], value.at(-1)];
  return (
    <Section title={`Values of the last ${days} days`}>
      {value.length === 0 && <Empty title="These days have no values." />}
      {value.length > 1 && <Chart points={value} />}
      {first && last && (
        <p class="quiet">{`${first.date}: ${number(first.value)} · ${last.date}: ${number(last.value)}`}</p>
      )}
    </Section>
  );
}
