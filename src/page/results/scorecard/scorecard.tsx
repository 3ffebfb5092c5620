import { useCallback, useMemo, useRef } from 'preact/hooks';
import { IntervalAxis } from '../../charts/interval.tsx';
import { axisEnd } from '../../charts/scale.ts';
import { Key, Sign } from '../../charts/sign.tsx';
import { useWidth } from '../../charts/use_width.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { allOf, blocks, type Compared, type ComparedBlock } from '../frame/compared.ts';
import { endsOfInterval, shownP } from '../frame/counting.ts';
import type { Result } from '../frame/types.ts';
import { MetricRow, type MetricRowProps } from './metric_row.tsx';
import type { OpenedProps } from './opened.tsx';

const Opened = lazy(() => import('./opened.tsx').then((module) => module.Opened));

interface Entry {
  group: Compared;
  result: Result;
}

type Shared = Pick<MetricRowProps, 'zone' | 'confidence' | 'isBayesian' | 'isUntrusted'> &
  Pick<OpenedProps, 'path' | 'series' | 'onSeries' | 'plannedEnd'>;

interface ScorecardProps extends Shared {
  compared: Compared[];
  controlName: string;
  corrections: Record<ComparedBlock, string>;
  queryOf: (test: string) => string;
  open: { metricID?: string; test?: string };
  onOpen: (metricID: string | undefined, test: string | undefined) => void;
}

const endOf = (compared: Compared[]) =>
  axisEnd(
    compared.flatMap(({ results: { primaryMetrics, secondaryMetrics } }) =>
      [...primaryMetrics, ...secondaryMetrics].flatMap(endsOfInterval),
    ),
  );

const isCorrected = (compared: Compared[]) =>
  compared.flatMap(({ results }) => allOf(results)).some((one) => shownP(one) !== one.pValue);

function intervalSize(width: number, isSeveral: boolean): Pick<MetricRowProps, 'width' | 'height'> {
  if (matchMedia('(width < 800px)').matches)
    return { width: Math.max(width - 28, 120), height: 34 };
  return { width: isSeveral ? 268 : 206, height: 50 };
}

interface ScorecardHeadProps
  extends Pick<ScorecardProps, 'compared' | 'controlName' | 'isBayesian'> {
  end: number;
  width: number;
}

function ScorecardHead({ compared, controlName, isBayesian, end, width }: ScorecardHeadProps) {
  const [only] = compared.length === 1 ? compared : [];
  return (
    <thead>
      <tr>
        <th class="c-first" scope="col">
          Metric
        </th>
        {only ? (
          <>
            <th class="c-num" scope="col">
              <Key index={0} /> {controlName}
            </th>
            <th class="c-num" scope="col">
              <Key index={only.index} /> {only.name}
            </th>
          </>
        ) : (
          <>
            <th scope="col">
              <span class="unseen">Group</span>
            </th>
            <th class="c-num" scope="col">
              Mean
            </th>
          </>
        )}
        <th class="c-num" scope="col">
          Lift
        </th>
        <th class="c-iv" scope="col">
          <span class="unseen">Interval of the lift</span>
          <IntervalAxis end={end} width={width} />
        </th>
        <th class="c-num" scope="col">
          {isBayesian ? 'Chance to beat' : isCorrected(compared) ? 'adj. p' : 'p'}
        </th>
        {only && <th scope="col">Trend</th>}
        <th scope="col">
          <span class="unseen">Details</span>
        </th>
      </tr>
    </thead>
  );
}

type Toggle = MetricRowProps['onToggle'];

interface MetricProps extends ScorecardProps, Pick<MetricRowProps, 'end' | 'width' | 'height'> {
  entries: Entry[];
  onToggle: Toggle;
}

function Metric({ entries, onToggle, width, height, ...props }: MetricProps) {
  const { compared, open, zone, confidence, isBayesian, isUntrusted, end } = props;
  const isSeveral = compared.length > 1;
  const opened = entries.find(
    ({ group, result }) =>
      open.metricID === result.metricID && (!isSeveral || open.test === group.id),
  );
  return (
    <>
      {entries.map((entry, index) => (
        <MetricRow
          key={entry.group.id}
          {...{ zone, confidence, isBayesian, isUntrusted, end, width, height, isSeveral }}
          group={entry.group}
          result={entry.result}
          span={index === 0 ? entries.length : 0}
          isOpen={entry === opened}
          onToggle={onToggle}
        />
      ))}
      {opened && (
        <tr class="op-row">
          <td class="op-cell" colSpan={isSeveral ? 7 : 8}>
            <Opened
              {...props}
              result={opened.result}
              query={props.queryOf(opened.group.id)}
              testName={opened.group.name}
              testIndex={opened.group.index}
            />
          </td>
        </tr>
      )}
    </>
  );
}

function entriesIn(compared: Compared[]): Map<string, Entry[]> {
  const all = compared.flatMap((group) =>
    allOf(group.results).map((result) => ({ group, result })),
  );
  return Map.groupBy(all, ({ result }) => result.metricID);
}

function useToggle({ compared, onOpen }: ScorecardProps): Toggle {
  const open: Toggle = (metricID, test, isOpen) =>
    onOpen(isOpen ? undefined : metricID, isOpen || compared.length === 1 ? undefined : test);
  const latest = useRef(open);
  latest.current = open;
  return useCallback((...given) => latest.current(...given), []);
}

/** The results of all metrics on one axis, with a row for each group. */
export function Scorecard(props: ScorecardProps) {
  const { compared, corrections, isUntrusted } = props;
  const { element, width } = useWidth(700);
  const isSeveral = compared.length > 1;
  const size = intervalSize(width, isSeveral);
  const end = endOf(compared);
  const entries = useMemo(() => entriesIn(compared), [compared]);
  const onToggle = useToggle(props);
  const [first] = compared;
  if (!first) return null;
  return (
    <div ref={element}>
      <Scrolled as="section" class="scrolled" aria-label="Results of all metrics">
        <table class={`sc${isSeveral ? ' sc-several' : ''}${isUntrusted ? ' sc-untrusted' : ''}`}>
          <ScorecardHead {...props} end={end} width={size.width} />
          {blocks.map(({ block, title, of }) =>
            first.results[of].length === 0 ? null : (
              <tbody key={block}>
                <tr class="sc-block">
                  <th colSpan={isSeveral ? 7 : 8} scope="rowgroup">
                    <b>{title}</b>
                    {corrections[block]}
                  </th>
                </tr>
                {first.results[of].map(({ metricID }) => (
                  <Metric
                    key={metricID}
                    {...props}
                    end={end}
                    {...size}
                    entries={entries.get(metricID) ?? []}
                    onToggle={onToggle}
                  />
                ))}
              </tbody>
            ),
          )}
        </table>
      </Scrolled>
    </div>
  );
}

/** How to read the marks. */
export const ScorecardFoot = ({
  confidence,
  isBayesian,
}: Pick<MetricRowProps, 'confidence' | 'isBayesian'>) => (
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

/** A warning above numbers that must not be read; they are folded at first. */
export const Unread = ({ isFolded, onToggle }: { isFolded: boolean; onToggle: () => void }) => (
  <div class="sc-unread">
    <Icon name="alert" />
    <p>Don't read these numbers: the groups are unbalanced.</p>
    <Button onClick={onToggle}>{isFolded ? 'Show them anyway' : 'Hide'}</Button>
  </div>
);
