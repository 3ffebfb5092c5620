import { Legend } from '../charts/legend.tsx';
import { LineChart } from '../charts/line_chart.tsx';
import { amountTicks } from '../charts/scale.ts';
import { TableOf } from '../charts/table_of.tsx';
import { eitherWay } from './either_way.ts';
import type { CurvePoint, Plan } from './power.ts';

const axisLabel = (percent: number) => (percent === 0 ? '0' : `±${percent}%`);

const curvePoints = (curve: CurvePoint[]) =>
  curve.map(({ days, percent }) => ({ time: days, value: percent }));

const names = { readOnce: 'read once, at the end', anyDay: 'stopped on any day' };

/** The smallest change that is found after 1 to 8 weeks, in two ways to read results. */
export function Curve({ plan, days }: { plan: Plan; days: number | null }) {
  const { readOnce, anyDay, percent } = plan;
  const values = [...readOnce, ...anyDay].map((point) => point.percent ?? 0);
  const last = readOnce.at(-1)?.days ?? 0;
  const first = readOnce[0];
  const label = `Detectable change by duration: ${eitherWay(first?.percent)} after ${first?.days} days, ${eitherWay(
    readOnce.at(-1)?.percent,
  )} after ${last}, if read once at the end`;
  const series = [
    { name: names.anyDay, index: 0, points: curvePoints(anyDay) },
    { name: names.readOnce, index: 5, points: curvePoints(readOnce) },
  ];
  const marks =
    days !== null && days >= (first?.days ?? 0) && days <= last
      ? [{ time: days, words: `${days} days: ${eitherWay(percent)}` }]
      : [];
  return (
    <div class="plan-curve">
      <p class="small">Smallest change that would be found, by days</p>
      <TableOf
        name="detectable change"
        table={{
          heads: ['Days', names.readOnce, names.anyDay],
          rows: readOnce.map((point, index) => [
            String(point.days),
            eitherWay(point.percent),
            eitherWay(anyDay[index]?.percent),
          ]),
        }}
      >
        <LineChart
          label={label}
          series={series}
          ticks={amountTicks(Math.max(...values))}
          format={axisLabel}
          height={232}
          nameOf={(day) => `${day} days`}
          xTicks={readOnce.filter((_, index) => index % 2 === 1).map((point) => point.days)}
          marks={marks}
        />
        <Legend entries={[...series].reverse()} />
      </TableOf>
    </div>
  );
}
