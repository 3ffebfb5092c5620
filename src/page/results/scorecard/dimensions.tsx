import type { Experiment } from '../../base/types.ts';
import { useRead } from '../../base/use.ts';
import { countOf, isNumber, lift, pValue } from '../../charts/format.ts';
import { Interval, IntervalAxis } from '../../charts/interval.tsx';
import { axisEnd } from '../../charts/scale.ts';
import { Sign } from '../../charts/sign.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { Select } from '../../ui/select.tsx';
import { ReadStatus } from '../../ui/unread.tsx';
import type { MetricResult } from '../frame/api_types.ts';
import { allOf, primaryOf } from '../frame/compared.ts';
import { boundsOfInterval, countingOf, endsOfInterval, shownP } from '../frame/counting.ts';
import { reasonInWords } from '../frame/reasons.ts';
import type { PulseResults, Result } from '../frame/types.ts';
import type { View } from '../frame/view.ts';

interface DimensionsProps {
  path: string;
  query: string;
  metrics: Record<string, string>;
  metric: string;
  onMetric: (metricID: string) => void;
  dimensions: string[];
  dimension: string;
  onDimension: (dimension: string) => void;
  confidence: number;
}

type Slice = MetricResult['dimensionResults'][number];

const unitsOfResult = ({ testUnits, controlUnits }: Result) =>
  (testUnits ?? 0) + (controlUnits ?? 0);

const endsOfResult = (result: Result) =>
  [...endsOfInterval(result), result.percentChange].filter(isNumber);

interface DimensionRowProps {
  name: string;
  result: Result;
  end: number;
  confidence: number;
  isAll?: boolean;
}

function DimensionRow({ name, result, end, confidence, isAll }: DimensionRowProps) {
  const counting = countingOf(result);
  return (
    <tr class={isAll ? 'sc-all' : undefined}>
      <th class="c-first" scope="row">
        {name}
      </th>
      <td class="c-num c-control">{countOf(unitsOfResult(result))}</td>
      <td class="c-iv">
        <Interval
          name={name}
          value={result.percentChange}
          fixed={boundsOfInterval(result.percentConfidenceInterval)}
          counting={counting}
          end={end}
          confidence={confidence}
          height={34}
        />
      </td>
      <td class="c-num c-lift">
        {result.percentChange === null ? (
          <span class="small">{result.reason ? reasonInWords(result.reason) : '–'}</span>
        ) : (
          <span class={`sc-lift is-${counting}`}>
            <Sign counting={counting} />
            {lift(result.percentChange)}
          </span>
        )}
      </td>
      <td class="c-num c-p">{pValue(shownP(result))}</td>
    </tr>
  );
}

function Forest({
  slices,
  all,
  confidence,
}: {
  slices: Slice[];
  all?: Result;
  confidence: number;
}) {
  const end = axisEnd(
    [...slices.map(({ metric }) => metric), ...(all ? [all] : [])].flatMap(endsOfResult),
  );
  const sorted = slices.toSorted(
    (one, other) => unitsOfResult(other.metric) - unitsOfResult(one.metric),
  );
  return (
    <Scrolled as="section" class="scrolled" aria-label="Results by dimension">
      <table class="sc sc-dim">
        <thead>
          <tr>
            <th class="c-first" scope="col">
              Value
            </th>
            <th class="c-num" scope="col">
              Units
            </th>
            <th class="c-iv" scope="col">
              <span class="unseen">Interval of the lift</span>
              <IntervalAxis end={end} />
            </th>
            <th class="c-num" scope="col">
              Lift
            </th>
            <th class="c-num" scope="col">
              p
            </th>
          </tr>
        </thead>
        <tbody>
          {all && <DimensionRow name="All" result={all} end={end} confidence={confidence} isAll />}
          {sorted.map(({ dimension_value: value, metric }) => (
            <DimensionRow
              key={value}
              name={value || '(none)'}
              result={metric}
              end={end}
              confidence={confidence}
            />
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function Dimensions(props: DimensionsProps & { all: Result | undefined }) {
  const { path, query, metrics, metric, onMetric, dimensions, dimension, onDimension } = props;
  const address = metric
    ? `${path}/pulse_metric_result?${query}&${new URLSearchParams({ metricID: metric, dimension })}`
    : '';
  const read = useRead<MetricResult>(dimension ? address : '');
  const slices = read.value?.data.dimensionResults ?? [];
  return (
    <section class="box" aria-label="By dimension">
      <div class="box-head">
        <h2 class="box-title">By dimension</h2>
        <div class="box-side">
          <Select aria-label="Metric" value={metric} options={metrics} onChoose={onMetric} />
          <Select
            aria-label="Dimension"
            value={dimension}
            options={Object.fromEntries(dimensions.map((name) => [name, name]))}
            onChoose={onDimension}
          />
        </div>
      </div>
      {read.value ? (
        <Forest slices={slices} all={props.all} confidence={props.confidence} />
      ) : (
        <ReadStatus {...read} lines={3} />
      )}
      <p class="sc-foot">
        {differenceInWords(read.value?.data.heterogeneityPValue)}
        {`Exploratory${slices.length > 1 ? `: ${slices.length} values are compared` : ''}. Confirm a difference with an experiment of its own.`}
      </p>
    </section>
  );
}

function differenceInWords(p: number | null | undefined): string {
  if (!isNumber(p)) return '';
  return p < 0.05
    ? `The change differs between the values (p ${p < 0.001 ? '' : '= '}${pValue(p)}). `
    : `No sign that the change differs between the values (p = ${pValue(p)}). `;
}

interface DimensionsPartProps {
  experiment: Experiment;
  path: string;
  query: string;
  view: View;
  setView: (edits: Partial<View>) => void;
  results: PulseResults;
  confidence: number;
}

/** The dimensions of an experiment; nothing if it has none. */
export function DimensionsPart(props: DimensionsPartProps) {
  const { experiment, path, query, view, setView, results, confidence } = props;
  const all = allOf(results);
  const metric = view.metric ?? primaryOf(results)?.metricID ?? '';
  const dimensions = (experiment.preComputedUserDimensions ?? []).map((one) =>
    typeof one === 'string' ? one : one.name,
  );
  if (dimensions.length === 0 || all.length === 0) return null;
  return (
    <Dimensions
      {...{ path, query, metric, dimensions, confidence }}
      metrics={Object.fromEntries(all.map((one) => [one.metricID, one.metricName]))}
      onMetric={(next) => setView({ metric: next })}
      dimension={view.dimension ?? dimensions[0] ?? ''}
      onDimension={(dimension) => setView({ dimension })}
      all={all.find(({ metricID }) => metricID === metric)}
    />
  );
}
