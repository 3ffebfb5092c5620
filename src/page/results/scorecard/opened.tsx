import { ticks } from 'd3-array';
import { pageOf } from '../../base/history_words.ts';
import { isShare } from '../../base/metric_ids.ts';
import { useRead } from '../../base/use.ts';
import { change, countOf, isNumber, lift, mean } from '../../charts/format.ts';
import { LineChart, type Point } from '../../charts/line_chart.tsx';
import { axisEnd } from '../../charts/scale.ts';
import { TableOf } from '../../charts/table_of.tsx';
import { Seg } from '../../ui/seg.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import type { PulseSeries } from '../frame/api_types.ts';
import { reasonInWords } from '../frame/reasons.ts';
import type { Result } from '../frame/types.ts';

export interface OpenedProps {
  path: string;
  query: string;
  testName: string;
  testIndex: number;
  result: Result;
  confidence: number;
  series: string;
  onSeries: (view: string) => void;
  plannedEnd: number | null;
}

const sinceView = 'days_since_exposure';

const views = { cumulative: 'Cumulative', daily: 'Daily', [sinceView]: 'Days since exposure' };

const sinceAxis = {
  nameOf: (day: number) => (day === 0 ? 'day 0' : String(day)),
  tipName: (day: number) => `Day ${day}`,
  xTicks: (first: number, last: number, width: number) =>
    ticks(first, last, width / 48).filter(Number.isInteger),
};

const pointOf = (point: Result): Point => ({
  time: point.day ?? Date.parse(point.ds ?? ''),
  value: point.percentChange,
  lower: point.percentConfidenceInterval?.lower,
  upper: point.percentConfidenceInterval?.upper,
  widerLower: point.percentSequentialTestingConfidenceInterval?.lower,
  widerUpper: point.percentSequentialTestingConfidenceInterval?.upper,
});

function SeriesChart(props: OpenedProps) {
  const { path, query, result, series: view, testName, testIndex, plannedEnd } = props;
  const address = `${path}/pulse_series?${query}&${new URLSearchParams({ metricID: result.metricID, view })}`;
  const read = useRead<PulseSeries>(address);
  if (!read.value) return <ReadStatus {...read} lines={4} />;
  const { points, reason, reasonDetail } = read.value.data;
  if (points.length === 0) {
    const why = reasonDetail ?? (reason ? `${reasonInWords(reason)}.` : 'No day is loaded yet.');
    return <p class="small">{why}</p>;
  }
  const isSince = view === sinceView;
  const drawn = points.map(pointOf);
  const bounds = drawn.flatMap(({ value, lower, upper }) => [value, lower, upper]).filter(isNumber);
  const end = axisEnd(bounds);
  const table = {
    heads: [isSince ? views[sinceView] : 'Day', 'Lift', 'Lower', 'Upper'],
    rows: drawn.map(({ value, lower, upper }, index) => [
      String(points[index]?.ds ?? points[index]?.day),
      lift(value),
      lift(lower),
      lift(upper),
    ]),
  };
  const latest = lift(drawn.at(-1)?.value);
  const label = isSince
    ? `${result.metricName}: lift of ${testName} by days since exposure, from ${lift(drawn[0]?.value)} to ${latest}`
    : `${result.metricName}: lift of ${testName} by day, now ${latest}`;
  return (
    <TableOf name="metric" table={table}>
      <LineChart
        label={label}
        series={[{ name: testName, index: testIndex, points: drawn }]}
        ticks={ticks(-end, end, 4)}
        format={(value) => lift(value).replace('.0%', '%')}
        {...(isSince && sinceAxis)}
        hasWhiskers={view !== 'cumulative'}
        until={view === 'cumulative' ? (plannedEnd ?? undefined) : undefined}
      />
    </TableOf>
  );
}

interface Fact {
  name: string;
  value: string;
  more?: string;
}

function cupedOf({ cuped }: Result): Fact {
  if (!cuped) return { name: 'CUPED', value: 'not used' };
  if (!cuped.applied)
    return { name: 'CUPED', value: 'not applied', more: reasons[cuped.reason ?? ''] };
  const share = Math.round((cuped.varianceReduction ?? 0) * 100);
  return { name: 'CUPED', value: `−${share}% variance`, more: 'by the 7 days before exposure' };
}

const reasons: Record<string, string> = {
  no_past: 'No unit had events before its exposure.',
  no_gain: 'The past does not predict this metric.',
  off: 'Switched off.',
};

function factsOf(result: Result): Fact[] {
  const { reversePower, winsorizationThreshold, absoluteToplineImpact, metricID } = result;
  return [
    cupedOf(result),
    ...(isNumber(reversePower)
      ? [{ name: 'Can detect now', value: `±${reversePower.toFixed(1)}%` }]
      : []),
    ...(isNumber(winsorizationThreshold)
      ? [{ name: 'Outlier cap', value: mean(winsorizationThreshold, false) }]
      : []),
    ...(isNumber(absoluteToplineImpact)
      ? [
          {
            name: 'Topline so far',
            value: `${change(absoluteToplineImpact, isShare(metricID))} a day`,
          },
        ]
      : []),
    {
      name: 'Units',
      value: `${countOf(result.controlUnits ?? 0)} and ${countOf(result.testUnits ?? 0)}`,
    },
    ...(result.reason ? [{ name: 'Note', value: reasonInWords(result.reason) }] : []),
  ];
}

/** The details of one metric: its change over time and the facts behind the result. */
export function Opened(props: OpenedProps) {
  const { result, series, onSeries } = props;
  return (
    <div class="op">
      <div class="op-top">
        <Seg label="Series" options={views} value={series} onChoose={onSeries} />
        <a href={pageOf({ path: 'metrics' }, result.metricID)}>Definition</a>
      </div>
      <div class="op-grid">
        <div class="op-chart">
          <SeriesChart {...props} />
        </div>
        <dl class="op-facts">
          {factsOf(result).map(({ name, value, more }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {more && <span class="small">{` ${more}`}</span>}
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
