import { useMemo } from 'preact/hooks';
import { pageOf } from '../../base/history_words.ts';
import { isShare } from '../../base/metric_ids.ts';
import { metricTypes } from '../../base/metric_types.ts';
import { chance, change, countOf, lift, mean, pValue } from '../../charts/format.ts';
import { Interval } from '../../charts/interval.tsx';
import { Key, Sign } from '../../charts/sign.tsx';
import { Spark } from '../../charts/spark.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Compared } from '../frame/compared.ts';
import { boundsOfInterval, countingOf, shownP } from '../frame/counting.ts';
import { reasonInWords, warningInWords } from '../frame/reasons.ts';
import type { Result } from '../frame/types.ts';

export interface MetricRowProps {
  result: Result;
  group: Compared;
  span: number;
  isSeveral: boolean;
  end: number;
  width: number;
  height: number;
  zone: number | null;
  confidence: number;
  isBayesian: boolean;
  isUntrusted: boolean;
  isOpen: boolean;
  onToggle: (metricID: string, test: string, isOpen: boolean) => void;
}

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

/** The change of a metric: in percent, and below it absolute. */
export function MetricLift({
  result,
  isUntrusted,
}: Pick<MetricRowProps, 'result' | 'isUntrusted'>) {
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

interface MeanProps {
  index: number;
  value: number | null;
  units: number | null;
  metricID: string;
}

/** The mean of a group, and below it the number of its units. */
export function Mean({ index, value, units, metricID }: MeanProps) {
  return (
    <>
      <span class="c-letter">
        <Key index={index} />{' '}
      </span>
      {mean(value, isShare(metricID))}
      <span class="sc-sub">{units === null ? '' : countOf(units)}</span>
    </>
  );
}

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

const typeNames: Partial<Record<string, string>> = metricTypes;

function metricTypeInWords({ metricID }: Result): string {
  const [, type = ''] = metricID.split('::');
  return typeNames[type] ?? type;
}

/** The name of a metric, its good direction, and its type. */
export const Name = ({ result, span }: Pick<MetricRowProps, 'result' | 'span'>) => (
  <th class="c-first" scope="row" rowSpan={span}>
    <span class="sc-name">
      <a href={pageOf({ path: 'metrics' }, result.metricID)}>{result.metricName}</a>
      <GoodWay result={result} />
    </span>
    <span class="sc-sub">{metricTypeInWords(result)}</span>
  </th>
);

/** The result of one metric for one group, drawn again only if it changes. */
export const MetricRow = (props: MetricRowProps) =>
  useMemo(() => <DrawnMetricRow {...props} />, Object.values(props));

function DrawnMetricRow(props: MetricRowProps) {
  const { result, group, span, isSeveral, isBayesian, isUntrusted, isOpen, onToggle } = props;
  const { metricID, metricName } = result;
  const counting = isUntrusted ? 'unclear' : countingOf(result);
  const points = group.sparks.find((spark) => spark.metricID === metricID)?.points ?? [];
  const name = isSeveral ? `${metricName}, ${group.name}` : metricName;
  return (
    <tr class={isOpen ? 'sc-open' : undefined}>
      {span > 0 && <Name result={result} span={span} />}
      {isSeveral ? (
        <th class="c-key" scope="row">
          <Key index={group.index} />
          <span class="unseen">{` ${group.name}`}</span>
        </th>
      ) : (
        <td class="c-num c-control">
          <Mean
            index={0}
            value={result.controlMean}
            units={result.controlUnits}
            metricID={metricID}
          />
        </td>
      )}
      <td class="c-num c-test">
        <Mean
          index={group.index}
          value={result.testMean}
          units={result.testUnits}
          metricID={metricID}
        />
      </td>
      <td class="c-num c-lift">
        <MetricLift result={result} isUntrusted={isUntrusted} />
      </td>
      <td class="c-iv">
        <Interval
          name={name}
          value={result.percentChange}
          fixed={boundsOfInterval(result.percentConfidenceInterval)}
          always={
            isBayesian ? null : boundsOfInterval(result.percentSequentialTestingConfidenceInterval)
          }
          counting={counting}
          end={props.end}
          zone={props.zone}
          confidence={props.confidence}
          width={props.width}
          height={props.height}
        />
      </td>
      <td class="c-num c-p">
        <span class="c-letter">{isBayesian ? 'chance ' : 'p '}</span>
        {isBayesian ? chance(result.bayesian?.chanceToBeat) : pValue(shownP(result))}
      </td>
      {!isSeveral && (
        <td class="c-trend">
          <Spark values={points.map(({ percentChange }) => percentChange)} counting={counting} />
        </td>
      )}
      <td class="c-caret">
        <button
          class="sc-caret"
          type="button"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${name}`}
          onClick={() => onToggle(metricID, group.id, isOpen)}
          onKeyDown={moveFocus}
        >
          <Icon name="right" />
        </button>
      </td>
    </tr>
  );
}
