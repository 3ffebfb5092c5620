import { pValue } from '../../charts/format.ts';
import { Interval, IntervalAxis } from '../../charts/interval.tsx';
import { axisEnd } from '../../charts/scale.ts';
import { Key } from '../../charts/sign.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import type { Lifts } from '../frame/api_types.ts';
import { boundsOfInterval, countingOf, endsOfInterval } from '../frame/counting.ts';
import type { Result } from '../frame/types.ts';
import { Mean, MetricLift, Name } from '../scorecard/metric_row.tsx';
import { VerdictSection } from '../verdict/head.tsx';
import type { Verdict } from '../verdict/verdict.ts';

const confidence = 95;

interface Sides {
  control: string;
  test: string;
}

const LiftRow = ({ result, end }: { result: Result; end: number }) => (
  <tr>
    <Name result={result} span={1} />
    <td class="c-num c-control">
      <Mean
        index={0}
        value={result.controlMean}
        units={result.controlUnits}
        metricID={result.metricID}
      />
    </td>
    <td class="c-num c-test">
      <Mean index={1} value={result.testMean} units={result.testUnits} metricID={result.metricID} />
    </td>
    <td class="c-num c-lift">
      <MetricLift result={result} isUntrusted={false} />
    </td>
    <td class="c-iv">
      <Interval
        name={result.metricName}
        value={result.percentChange}
        fixed={boundsOfInterval(result.percentConfidenceInterval)}
        counting={countingOf(result)}
        end={end}
        confidence={confidence}
      />
    </td>
    <td class="c-num c-p">{pValue(result.pValue)}</td>
  </tr>
);

/** The lifts of all metrics between two sides, on one axis. */
export function LiftsTable({ lifts, sides, name }: { lifts: Lifts; sides: Sides; name: string }) {
  const { monitoringMetrics } = lifts;
  const end = axisEnd(monitoringMetrics.flatMap(endsOfInterval));
  if (lifts.ds === null || monitoringMetrics.length === 0) return null;
  return (
    <Scrolled as="section" class="scrolled" aria-label={name}>
      <table class="sc">
        <thead>
          <tr>
            <th class="c-first" scope="col">
              Metric
            </th>
            <th class="c-num" scope="col">
              <Key index={0} /> {sides.control}
            </th>
            <th class="c-num" scope="col">
              <Key index={1} /> {sides.test}
            </th>
            <th class="c-num" scope="col">
              Lift
            </th>
            <th class="c-iv" scope="col">
              <span class="unseen">{`${confidence}% interval of the lift`}</span>
              <IntervalAxis end={end} />
            </th>
            <th class="c-num lifts-p" scope="col">
              p
            </th>
          </tr>
        </thead>
        <tbody>
          {monitoringMetrics.map((result) => (
            <LiftRow key={result.metricID} result={result} end={end} />
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

interface VerdictLineProps {
  verdict: Pick<Verdict, 'tone' | 'sentence'> & Partial<Pick<Verdict, 'detail'>>;
  method: string[];
}

/** A verdict in words, with its detail and method. */
export const VerdictLine = ({ verdict: { tone, sentence, detail }, method }: VerdictLineProps) => (
  <VerdictSection tone={tone} sentence={sentence}>
    {detail && <p class="verdict-sub">{detail}</p>}
    <p class="method">
      {method.map((part) => (
        <span key={part}>{part}</span>
      ))}
    </p>
  </VerdictSection>
);
