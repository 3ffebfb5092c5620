import { pageOf } from '../base/history_words.ts';
import { metricIDOf } from '../base/metric_ids.ts';
import type { Metric } from '../base/types.ts';
import { Fields } from '../entity/edit/fields.tsx';
import type { Editing, FieldSpec } from '../entity/kind.ts';
import { MetricChart } from '../results/scorecard/metric_chart.tsx';
import { Card } from './card.tsx';
import { EventRows } from './event_rows.tsx';
import { FunnelOptions } from './measured.tsx';
import { Sentence } from './sentence.tsx';
import type { MetricDraft } from './state.ts';
import { draftOf, isImpliedMetric, treatedIn, withMeasured, withTreatment } from './stored.ts';
import {
  isFunnel,
  type MetricPart,
  metricParts,
  metricSentence,
  othersIn,
} from './stored_words.ts';
import { Treatment } from './treatment.tsx';

const Parts = ({ parts, isNumbered }: { parts: MetricPart[]; isNumbered: boolean }) => (
  <ol class={`steps3${isNumbered ? ' steps3-numbered' : ''}`}>
    {parts.map(({ label, event, measure, where }) => (
      <li key={`${label} ${event}`} class="step2">
        <span class="step2-name">
          {isNumbered || <span class="small">{label}</span>}
          <code>{event}</code>
        </span>
        <span class="small">{[measure, where].filter(Boolean).join(', ')}</span>
      </li>
    ))}
  </ol>
);

const ComponentList = ({ metrics }: { metrics: Metric['metricComponentMetrics'] }) => (
  <ul class="steps3">
    {metrics.map((metric, index) => (
      <li key={`${metricIDOf(metric)} ${index}`}>
        <a href={pageOf({ path: 'metrics' }, metricIDOf(metric))}>{metric.name}</a>
      </li>
    ))}
  </ul>
);

const Read = ({ metric }: { metric: Metric }) => {
  const { metricComponentMetrics: metrics } = metric;
  return (
    <>
      <p>{metricSentence(metric, treatedIn(metric).window === 'daily')}</p>
      <Parts parts={metricParts(metric)} isNumbered={isFunnel(metric)} />
      {metrics.length > 0 && <ComponentList metrics={metrics} />}
    </>
  );
};

const words: FieldSpec[] = [
  {
    property: 'directionality',
    label: 'Good is',
    as: 'choice',
    options: { increase: 'an increase', decrease: 'a decrease' },
  },
  { property: 'unitTypes', label: 'Counted by', as: 'tokens', names: 'unit_id_types' },
];

interface DefinitionProps {
  editing: Editing<Metric>;
}

function StoredMeasured({ editing: { value: metric, set } }: DefinitionProps) {
  const draft = draftOf(metric);
  const change = (edits: Partial<MetricDraft>) =>
    draft && set({ warehouseNative: withMeasured(metric, { ...draft, ...edits }) });
  const fields = draft && (
    <>
      <Sentence draft={draft} set={change} isFixed />
      <EventRows draft={draft} set={change} />
      {draft.card === 'funnel' && <FunnelOptions draft={draft} set={change} />}
    </>
  );
  return (
    <Card
      title="What is measured"
      note={draft ? undefined : 'Fixed, because results depend on it.'}
      fields={fields}
    >
      <Read metric={metric} />
    </Card>
  );
}

const Others = ({ metric }: { metric: Metric }) => (
  <dl class="fields">
    {othersIn(metric).map(([name, value]) => (
      <div key={name} class="fact">
        <dt class="fact-name">{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** The definition of a stored metric in words; fields open in place where it can be changed. */
export function Definition({ editing }: DefinitionProps) {
  const { value: metric, set } = editing;
  const { directionality, unitTypes } = metric;
  return (
    <div class="res-main build">
      <StoredMeasured editing={editing} />
      <Card
        title="Direction and IDs"
        note={`Good is ${directionality === 'decrease' ? 'a decrease' : 'an increase'} · counted by ${unitTypes.join(', ')}`}
        fields={
          <div class="build-fields">
            <Fields {...editing} specs={words} />
          </div>
        }
      />
      <Treatment
        draft={treatedIn(metric)}
        set={
          isImpliedMetric(metric)
            ? undefined
            : (edits) => set({ warehouseNative: withTreatment(metric, edits) })
        }
      />
      {othersIn(metric).length > 0 && (
        <Card title="Other settings" fields={undefined}>
          <Others metric={metric} />
        </Card>
      )}
      <MetricChart metric={metric} />
    </div>
  );
}
