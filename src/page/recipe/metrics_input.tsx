import type { MetricReference } from '../types.ts';
import type { Attributes } from '../ui/field.tsx';
import { Tokens } from '../ui/tokens.tsx';

export const isMetrics = (value: unknown): value is MetricReference[] =>
  Array.isArray(value) && value.every((item) => typeof Object(item).type === 'string');

const idOf = ({ name, type }: MetricReference) => `${name}::${type}`;

/** A metric out of its id, `name::type`; one that is known keeps what else is said of it. */
function metricOf(id: string, known: MetricReference[]): MetricReference {
  const found = known.find((metric) => idOf(metric) === id);
  const [name = '', type = ''] = id.split('::');
  return found ?? { name, type };
}

/** What is wrong with what was typed for metrics: a name alone may be that of several. */
export const faultOfMetrics = (value: unknown) =>
  isMetrics(value) && value.some(({ type }) => !type)
    ? 'Choose a suggested metric, or type name::type'
    : undefined;

interface MetricsInputProps {
  attributes: Attributes;
  value: MetricReference[];
  onChange: (metrics: MetricReference[]) => void;
}

/** Metrics, found by their names. */
export const MetricsInput = ({ attributes, value, onChange }: MetricsInputProps) => (
  <Tokens
    attributes={attributes}
    values={value.map(idOf)}
    onChange={(ids) => onChange(ids.map((id) => metricOf(id, value)))}
    kind="metrics"
    placeholder="none"
  />
);
