import { Fragment } from 'preact';
import { chance, change, countOf, isNumber, lift, mean, pValue } from '../charts/format.ts';
import { type Bounds, Interval, IntervalAxis } from '../charts/interval.tsx';
import { axisEnd } from '../charts/scale.ts';
import { Key, Sign } from '../charts/sign.tsx';
import { Spark } from '../charts/spark.tsx';
import { countingWords } from '../charts/verdict_sign.ts';
import { pageOf } from '../recipe/kind.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Scrolled } from '../ui/scrolled.tsx';
import type { Spark as SparkData } from './api_types.ts';
import { countingOf } from './counting.ts';
import { isShare } from './metric_kinds.ts';
import { Opened, type OpenedProps } from './opened.tsx';
import { reasonInWords, warningInWords } from './reasons.ts';
import type { Interval as IntervalData, PulseResults, Result } from './types.ts';

export interface ScorecardProps extends Omit<OpenedProps, 'result'> {
  results: PulseResults;
  sparks: SparkData[];
  /** Whether the numbers must not be trusted. */
  isUntrusted: boolean;
  isBayesian: boolean;
  zone: number | null;
  /** The name of the correction of each block. */
  corrections: Record<Block, string>;
  controlName: string;
  testName: string;
  testIndex: number;
  open: string | undefined;
  onOpen: (metricID: string | undefined) => void;
}

type Block = 'primary' | 'secondary' | 'monitoring';

const blocks = [
  { block: 'primary', title: 'Primary', of: 'primaryMetrics' },
  { block: 'secondary', title: 'Secondary', of: 'secondaryMetrics' },
  { block: 'monitoring', title: 'Monitoring', of: 'otherMetrics' },
] as const;

const known = (interval: IntervalData | null): Bounds | null =>
  interval && isNumber(interval.lower) && isNumber(interval.upper)
    ? { lower: interval.lower, upper: interval.upper }
    : null;

const boundsOf = ({ percentConfidenceInterval: interval }: Result) =>
  [interval?.lower, interval?.upper].filter(isNumber);

const allOf = ({ primaryMetrics, secondaryMetrics, otherMetrics }: PulseResults) => [
  ...primaryMetrics,
  ...secondaryMetrics,
  ...otherMetrics,
];

const GoodWay = ({ result: { directionality } }: { result: Result }) => {
  const isUp = directionality !== 'decrease';
  const words = `${isUp ? 'An increase' : 'A decrease'} is good`;
  return (
    <span class="goodway" title={words}>
      <span aria-hidden="true">{isUp ? '↑' : '↓'}</span>
      <span class="unseen">{`, ${words.toLowerCase()}`}</span>
    </span>
  );
};

function Warnings({ result: { warnings } }: { result: Result }) {
  const words = warnings.flatMap((warning) => warningInWords(warning) ?? []);
  if (words.length === 0) return null;
  return (
    <span class="sc-warning" title={words.join(' ')}>
      <Icon name="alert" />
      <span class="unseen">{words.join(' ')}</span>
    </span>
  );
}

interface RowProps extends ScorecardProps {
  result: Result;
  end: number;
}

function Lift({ result, isUntrusted }: Pick<RowProps, 'result' | 'isUntrusted'>) {
  const { percentChange, absoluteChange, metricID, reason } = result;
  const counting = countingOf(result);
  if (percentChange === null && absoluteChange === null)
    return <span class="sc-none">{reason ? reasonInWords(reason) : '–'}</span>;
  const absolute = change(absoluteChange, isShare(metricID));
  if (isUntrusted)
    return (
      <>
        <span class="sc-lift">{lift(percentChange).replace(/^[+\u2212]/, '')}</span>
        <span class="sc-sub">not to be read</span>
      </>
    );
  return (
    <>
      <span class={`sc-lift is-${counting}`}>
        <Warnings result={result} />
        <Sign counting={counting} />
        {percentChange === null ? absolute : lift(percentChange)}
      </span>
      <span class="sc-sub">
        {percentChange === null && reason ? reasonInWords(reason) : absolute}
      </span>
    </>
  );
}

function MetricRow(props: RowProps) {
  const { result, end, sparks, isBayesian, isUntrusted, zone, open, onOpen } = props;
  const { metricID, metricName, controlMean, controlUnits, testMean, testUnits } = result;
  const counting = isUntrusted ? 'unclear' : countingOf(result);
  const isOpen = open === metricID;
  const points = sparks.find((spark) => spark.metricID === metricID)?.points ?? [];
  const units = (value: number | null) => (value === null ? '' : countOf(value));
  const p = result.adjustedPValue ?? result.pValue;
  return (
    <tr class={isOpen ? 'sc-open' : undefined}>
      <th class="c-first" scope="row">
        <span class="sc-name">
          <a href={pageOf({ path: 'metrics' }, metricID)}>{metricName}</a>
          <GoodWay result={result} />
        </span>
        <span class="sc-sub">{metricID.split('::').at(-1)}</span>
      </th>
      <td class="c-num c-control">
        {mean(controlMean, isShare(metricID))}
        <span class="sc-sub">{units(controlUnits)}</span>
      </td>
      <td class="c-num c-test">
        {mean(testMean, isShare(metricID))}
        <span class="sc-sub">{units(testUnits)}</span>
      </td>
      <td class="c-num c-lift">
        <Lift result={result} isUntrusted={isUntrusted} />
      </td>
      <td class="c-iv">
        <Interval
          name={metricName}
          value={result.percentChange}
          fixed={known(result.percentConfidenceInterval)}
          always={isBayesian ? null : known(result.percentSequentialTestingConfidenceInterval)}
          counting={counting}
          end={end}
          zone={zone}
          confidence={props.confidence}
        />
      </td>
      <td class="c-num c-p">{isBayesian ? chance(result.bayesian?.chanceToBeat) : pValue(p)}</td>
      <td class="c-trend">
        <Spark values={points.map(({ percentChange }) => percentChange)} counting={counting} />
      </td>
      <td class="c-caret">
        <button
          class="sc-caret"
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${metricName}`}
          onClick={() => onOpen(isOpen ? undefined : metricID)}
          onKeyDown={moveFocus}
        >
          <Icon name="right" />
        </button>
      </td>
    </tr>
  );
}

/** Moves the focus between the rows with the arrow keys. */
function moveFocus(event: KeyboardEvent) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const button = event.currentTarget;
  if (step === undefined || !(button instanceof HTMLElement)) return;
  const all = [...(button.closest('table')?.querySelectorAll<HTMLElement>('.sc-caret') ?? [])];
  const next = all[all.indexOf(button) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** The results of all metrics for one test group, on one axis. */
export function Scorecard(props: ScorecardProps) {
  const { results, isBayesian, isUntrusted, controlName, testName, testIndex, open } = props;
  const end = axisEnd([...results.primaryMetrics, ...results.secondaryMetrics].flatMap(boundsOf));
  const isCorrected = allOf(results).some(
    ({ pValue: p, adjustedPValue }) => isNumber(adjustedPValue) && adjustedPValue !== p,
  );
  const last = isBayesian ? 'Chance to beat' : isCorrected ? 'adj. p' : 'p';
  return (
    <Scrolled as="section" class="scrolled" aria-label="Results of all metrics">
      <table class={isUntrusted ? 'sc sc-untrusted' : 'sc'}>
        <thead>
          <tr>
            <th class="c-first" scope="col">
              Metric
            </th>
            <th class="c-num" scope="col">
              <Key index={0} /> {controlName}
            </th>
            <th class="c-num" scope="col">
              <Key index={testIndex} /> {testName}
            </th>
            <th class="c-num" scope="col">
              Lift
            </th>
            <th class="c-iv" scope="col">
              <span class="unseen">Interval of the lift</span>
              <IntervalAxis end={end} />
            </th>
            <th class="c-num" scope="col">
              {last}
            </th>
            <th scope="col">Trend</th>
            <th scope="col">
              <span class="unseen">Details</span>
            </th>
          </tr>
        </thead>
        {blocks.map(({ block, title, of }) =>
          results[of].length === 0 ? null : (
            <tbody key={block}>
              <tr class="sc-block">
                <th colSpan={8} scope="rowgroup">
                  <b>{title}</b>
                  {props.corrections[block]}
                </th>
              </tr>
              {results[of].map((result) => (
                <Fragment key={result.metricID}>
                  <MetricRow {...props} result={result} end={end} />
                  {open === result.metricID && (
                    <tr class="op-row">
                      <td class="op-cell" colSpan={8}>
                        <Opened {...props} result={result} />
                      </td>
                    </tr>
                  )}
                </Fragment>
              ))}
            </tbody>
          ),
        )}
      </table>
    </Scrolled>
  );
}

/** Returns the scorecard as a table of texts. */
export function tableOf(results: PulseResults) {
  return {
    heads: ['Metric', 'Control', 'Test', 'Lift', 'Interval', 'p', 'Reading'],
    rows: allOf(results).map((result) => {
      const interval = known(result.percentConfidenceInterval);
      return [
        result.metricName,
        mean(result.controlMean, isShare(result.metricID)),
        mean(result.testMean, isShare(result.metricID)),
        lift(result.percentChange),
        interval ? `${lift(interval.lower)} to ${lift(interval.upper)}` : '–',
        pValue(result.adjustedPValue ?? result.pValue),
        countingWords[countingOf(result)],
      ];
    }),
  };
}

/** How to read the marks. */
export const ScorecardFoot = ({
  confidence,
  isBayesian,
}: {
  confidence: number;
  isBayesian: boolean;
}) => (
  <p class="sc-foot">
    <span>{`Bar: ${confidence}% ${isBayesian ? 'credible ' : ''}interval.${isBayesian ? '' : ' Line: safe to read every day.'}`}</span>
    <span>
      <Sign counting="better" /> better
    </span>
    <span>
      <Sign counting="worse" /> worse
    </span>
    {!isBayesian && (
      <span>
        <Sign counting="leaning" /> leaning: bar clears 0, line does not
      </span>
    )}
  </p>
);

/** Numbers that must not be read are folded until somebody opens them. */
export const Folded = ({ onOpen }: { onOpen: () => void }) => (
  <div class="sc-folded">
    <p>These numbers are hidden, because the groups are not the size they should be.</p>
    <Button onClick={onOpen}>Show them anyway</Button>
  </div>
);
