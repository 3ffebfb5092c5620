import { recordOf } from '../../../base/value_types.ts';
import { metricIDOf } from '../../base/metric_ids.ts';
import type { MetricReference } from '../../base/types.ts';
import type { Attributes } from '../../ui/field.tsx';
import { Tokens } from '../../ui/tokens.tsx';

/** Whether a value is a list of metrics. */
export const isMetrics = (value: unknown): value is MetricReference[] =>
  Array.isArray(value) && value.every((item) => typeof recordOf(item).type === 'string');

function metricOfID(id: string, known: MetricReference[]): MetricReference {
  const found = known.find((metric) => metricIDOf(metric) === id);
  const [name = '', type = ''] = id.split('::');
  return found ?? { name, type };
}

/** Returns an error if a metric has no type; a name alone can be ambiguous. */
export const faultOfMetrics = (value: unknown) =>
  isMetrics(value) && value.some(({ type }) => !type)
    ? 'Choose a suggested metric, or type name::type'
    : undefined;

interface MetricsInputProps {
  attributes: Attributes;
  value: MetricReference[];
  onChange: (metrics: MetricReference[]) => void;
}

/** Edits a list of metrics. */
export const MetricsInput = ({ attributes, value, onChange }: MetricsInputProps) => (
  <Tokens
    attributes={attributes}
    values={value.map(metricIDOf)}
    onChange={(ids) => onChange(ids.map((id) => metricOfID(id, value)))}
    kind="metrics"
    placeholder="none"
  />
);
