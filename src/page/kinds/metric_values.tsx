import type { MetricValue } from '../../resources/metric_values/schema.ts';
import { get } from '../api.ts';
import type { Metric } from '../types.ts';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { Unread } from '../ui/unread.tsx';
import { useGet } from '../use.ts';
import { number } from '../words.ts';

const day = 86_400_000;
const days = 14;

interface Point {
  date: string;
  value: number;
}

/** The value of each of the last days that has one; a listed value does not say its day, so each is asked for. */
async function read({ name, type }: Metric): Promise<Point[]> {
  const dates = Array.from({ length: days }, (_, index) =>
    new Date(Date.now() - (days - 1 - index) * day).toISOString().slice(0, 10),
  );
  const points = await Promise.all(
    dates.map(async (date) => {
      const query = new URLSearchParams({ date, metricName: name, metricType: type, limit: '10' });
      const { data } = await get<MetricValue[]>(`/metrics/values?${query}`);
      const value = data.find(({ unitType }) => unitType === 'overall') ?? data[0];
      return value ? [{ date, value: value.value }] : [];
    }),
  );
  return points.flat();
}

const width = 600;
const height = 160;

function Chart({ points }: { points: Point[] }) {
  const values = points.map(({ value }) => value);
  const [low, high] = [Math.min(0, ...values), Math.max(...values, 1e-9)];
  const at = ({ value }: Point, index: number) => {
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
      {value.length === 0 && <Empty title="No values were computed or uploaded for these days." />}
      {value.length > 1 && <Chart points={value} />}
      {first && last && (
        <p class="quiet">{`${first.date}: ${number(first.value)} · ${last.date}: ${number(last.value)}`}</p>
      )}
    </Section>
  );
}
