import { call } from '../base/api.ts';
import type { MetricPreview } from '../base/types.ts';
import { useDebounced, useGet } from '../base/use.ts';
import { axisNumber, countOf, dayLabel, mean } from '../charts/format.ts';
import { LineChart } from '../charts/line_chart.tsx';
import { amountTicks } from '../charts/scale.ts';
import { TableOf } from '../charts/table_of.tsx';
import { eitherWay } from '../plan/either_way.ts';
import { foundAfter } from '../plan/power.ts';
import { ReadStatus } from '../ui/unread.tsx';
import { metricBody, missingInput } from './body.ts';
import type { MetricDraft } from './state.ts';

const settleMilliseconds = 400;

const days = 14;

interface Previewed extends MetricPreview {
  percent: number | null;
}

async function readPreview(text: string): Promise<Previewed> {
  const { data } = await call<MetricPreview>({
    ...{ method: 'POST', path: '/metrics/preview' },
    body: JSON.parse(text),
  });
  const { baseline, unitsPerDay } = data;
  if (!baseline || baseline.mean === 0 || baseline.variance === 0)
    return { ...data, percent: null };
  const { mean: now, variance } = baseline;
  const { percent } = await foundAfter({ mean: now, variance }, unitsPerDay, days);
  return { ...data, percent };
}

const reasons: Record<NonNullable<MetricPreview['reason']>, string> = {
  not_computable: 'It cannot be computed from events.',
  unit_type: 'It is not measured for this ID type.',
  no_units: 'No events of this ID type in the last 14 days.',
  too_few_units: 'Fewer than two users have a value.',
  zero_denominator: 'The denominator of all users together is 0.',
};

const measuredBy: Record<MetricDraft['card'], string> = {
  events: 'per user',
  users: 'do it',
  number: '',
  ratio: 'of all users together',
  funnel: 'finish all steps',
  composite: 'per user',
};

function FunnelSteps({ steps }: { steps: NonNullable<MetricPreview['steps']> }) {
  const most = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <ol class="fun">
      {steps.map(({ event, count }, index) => {
        const before = steps[index - 1]?.count;
        return (
          <li key={`${event} ${index}`}>
            <span class="fun-l">
              <code>{event}</code>
              <span>{countOf(count)}</span>
            </span>
            <svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
              <rect class="meter-ground" width="100" height="6" />
              <rect class="meter-fill" width={(100 * count) / most} height="6" />
            </svg>
            {before !== undefined && before > 0 && (
              <span class="small">{`${mean(count / before, true)} of the step before`}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Days({ preview, isShare }: { preview: MetricPreview; isShare: boolean }) {
  const points = preview.days.map(({ ds, value }) => ({ time: Date.parse(ds), value }));
  const values = points.flatMap(({ value }) => value ?? []);
  if (values.length === 0) return null;
  const [least, largest] = [Math.min(...values), Math.max(...values)];
  const from = mean(least, isShare);
  const label = `By day: from ${from} to ${mean(largest, isShare)}`;
  return (
    <TableOf
      name="values by day"
      table={{
        heads: ['Day', 'Users', 'Value'],
        rows: preview.days.map(({ ds, units, value }) => [
          dayLabel(Date.parse(ds)),
          countOf(units),
          mean(value, isShare),
        ]),
      }}
    >
      <LineChart
        label={label}
        series={[{ name: 'Value', index: 5, points }]}
        ticks={amountTicks(largest)}
        format={(value) => (isShare ? `${Math.round(value * 1000) / 10}%` : axisNumber(value))}
        height={130}
      />
    </TableOf>
  );
}

function Found({ preview, draft }: { preview: Previewed; draft: MetricDraft }) {
  const { value, units, isPartial, steps, percent, reason, reasonDetail, skippedEvents } = preview;
  const isShare = draft.card === 'users' || draft.card === 'funnel';
  if (reason)
    return (
      <p class="small" role="status">
        {reasonDetail ?? reasons[reason]}
      </p>
    );
  return (
    <>
      <p class="small">
        {`Last 14 days, ${countOf(units)} users${isPartial ? ', of whom 10,000 are read' : ''}`}
      </p>
      <p class="fig" role="status">
        <span class="fig-v fig-big">{mean(value, isShare)}</span>
        <span class="fig-l">{measuredBy[draft.card]}</span>
      </p>
      {steps && <FunnelSteps steps={steps} />}
      <Days preview={preview} isShare={isShare} />
      {skippedEvents > 0 && (
        <p class="small warned">{`${countOf(skippedEvents)} events without a number are left out.`}</p>
      )}
      {percent !== null && (
        <div class="panel-part">
          <p class="small">With it, in 14 days</p>
          <p>
            a change of <b>{eitherWay(percent)}</b> can be found
          </p>
        </div>
      )}
    </>
  );
}

export function Preview({ draft }: { draft: MetricDraft }) {
  const missing = missingInput(draft);
  // The API requires a name, which does not change the values.
  const text = missing
    ? ''
    : JSON.stringify({ ...metricBody(draft), name: 'Preview', description: '' });
  const late = useDebounced(text, settleMilliseconds);
  const { value, problem, again } = useGet(late && `preview ${late}`, () => readPreview(late));
  const isCurrent = late === text;
  return (
    <aside class="panel" aria-label="Preview">
      <h2 class="box-title">Preview</h2>
      {missing && <p class="small">{`${missing} to see its values.`}</p>}
      {late && !missing && isCurrent && problem && (
        <p class="small" role="status">
          {problem.errors
            .map(({ property, errorMessage }) => `${property} ${errorMessage}.`)
            .join(' ') || problem.message}
        </p>
      )}
      {late && !missing && !problem && !value && (
        <ReadStatus value={value} problem={problem} again={again} lines={6} />
      )}
      {late && !missing && !problem && value && <Found preview={value} draft={draft} />}
    </aside>
  );
}
