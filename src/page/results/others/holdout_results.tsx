import { ticks } from 'd3-array';
import { dayLength } from '../../../base/time.ts';
import { get, getAll } from '../../base/api.ts';
import { go, useLocation } from '../../base/location.ts';
import type { Experiment, Holdout } from '../../base/types.ts';
import { useGet, useRead } from '../../base/use.ts';
import { percent } from '../../base/words.ts';
import { dayLabel, isNumber, lift } from '../../charts/format.ts';
import { LineChart, type Point } from '../../charts/line_chart.tsx';
import { axisEnd } from '../../charts/scale.ts';
import { TableOf } from '../../charts/table_of.tsx';
import { Select } from '../../ui/select.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import type { Lifts } from '../frame/api_types.ts';
import { daysBetween } from './days_between.ts';
import { LiftsTable, VerdictLine } from './lifts.tsx';
import { liftsInWords } from './lifts_words.ts';

type Launched = Pick<Experiment, 'id' | 'decisionTime' | 'holdoutIDs'>;

const readLaunches = async (holdoutID: string) => {
  const decided = await getAll<Launched>('/experiments?status=decision_made');
  return decided.flatMap(({ id, decisionTime, holdoutIDs }) =>
    decisionTime !== null && holdoutIDs.includes(holdoutID)
      ? [{ time: decisionTime, words: id }]
      : [],
  );
};

interface TrendProps {
  holdout: Holdout;
  lifts: Lifts & { ds: string; startTime: number };
  path: string;
}

function Trend({ holdout, lifts, path }: TrendProps) {
  const { path: page, query } = useLocation();
  const { monitoringMetrics } = lifts;
  const chosen =
    monitoringMetrics.find(({ metricID }) => metricID === query.metric) ?? monitoringMetrics[0];
  const days = daysBetween(lifts.startTime, Date.parse(lifts.ds) + dayLength - 1);
  const { value, ...got } = useGet(`${path} on ${days.join(' ')}`, () =>
    Promise.all(days.map((date) => get<Lifts>(`${path}?date=${date}`).then(({ data }) => data))),
  );
  const { value: launches } = useGet(`launches of ${holdout.id}`, () => readLaunches(holdout.id));
  if (!chosen) return null;
  if (!value) return <ReadStatus {...got} lines={4} />;
  const points = value.flatMap(({ ds, monitoringMetrics: own }, at): Point[] => {
    const result = own.find(({ metricID }) => metricID === chosen.metricID);
    if (ds === null || !result) return [];
    const { percentChange, percentConfidenceInterval: interval } = result;
    const time = Date.parse(days[at] ?? ds);
    return [{ time, value: percentChange, lower: interval?.lower, upper: interval?.upper }];
  });
  const marks = (launches ?? []).filter(
    ({ time }) => time >= (points[0]?.time ?? 0) && time <= (points.at(-1)?.time ?? 0),
  );
  const end = axisEnd(
    points.flatMap((point) => [point.value, point.lower, point.upper]).filter(isNumber),
  );
  const table = {
    heads: ['Day', 'Lift', 'Lower', 'Upper'],
    rows: points.map((point) => [
      dayLabel(point.time),
      lift(point.value),
      lift(point.lower),
      lift(point.upper),
    ]),
  };
  return (
    <section class="box" aria-label="Over time">
      <div class="box-head">
        <h2 class="box-title">Everything launched, together</h2>
        <div class="box-side">
          <Select
            aria-label="Metric"
            value={chosen.metricID}
            options={Object.fromEntries(
              monitoringMetrics.map(({ metricID, metricName }) => [metricID, metricName]),
            )}
            onChoose={(metric) => go(`${page}?${new URLSearchParams({ metric })}`, true)}
          />
        </div>
      </div>
      <div class="box-body">
        <p class="small">
          {`${chosen.metricName} against the ${percent(holdout.passPercentage)} held out, cumulative`}
        </p>
        <TableOf name="holdout" table={table}>
          <LineChart
            label={`Cumulative lift of ${chosen.metricName}, now ${lift(points.at(-1)?.value)}`}
            series={[{ name: 'Lift', end: lift(points.at(-1)?.value), index: 2, points }]}
            ticks={ticks(-end, end, 4)}
            format={(value) => lift(value).replace('.0%', '%')}
            marks={marks}
            height={190}
            hasEndLabels
          />
        </TableOf>
        {marks.length > 0 && (
          <p class="small">
            {`Decided: ${marks.map(({ time, words }) => `${words} on ${dayLabel(time)}`).join(', ')}`}
          </p>
        )}
      </div>
    </section>
  );
}

/** The cumulative impact of everything that a holdout holds back. */
export function HoldoutResults({ holdout }: { holdout: Holdout }) {
  const path = `/holdouts/${encodeURIComponent(holdout.id)}/pulse_results`;
  const { value, ...got } = useRead<Lifts>(path);
  if (!value) return <ReadStatus {...got} lines={5} />;
  const lifts = value.data;
  const { ds, startTime } = lifts;
  return (
    <div class="res-main">
      <VerdictLine
        verdict={liftsInWords(lifts, 'Everything launched')}
        method={[
          ds === null ? 'Results are loaded once a day.' : `Data to ${dayLabel(Date.parse(ds))}`,
          `${percent(holdout.passPercentage)} held out`,
          'Frequentist, 95%',
        ]}
      />
      {ds !== null && startTime !== null && (
        <Trend holdout={holdout} path={path} lifts={{ ...lifts, ds, startTime }} />
      )}
      <div class="box">
        <LiftsTable
          lifts={lifts}
          sides={{ control: 'Held out', test: 'Everyone else' }}
          name="Lifts of all metrics"
        />
      </div>
    </div>
  );
}
