import { Fields } from '../recipe/fields.tsx';
import type { FieldSpec } from '../recipe/kind.ts';
import type { MetricReference } from '../types.ts';
import type { Baseline } from './power.ts';
import type { Typed } from './typed.ts';

const shareTypes = new Set(['event_user', 'funnel']);

const isShare = ({ type }: MetricReference) => shareTypes.has(type);

const results: FieldSpec = {
  property: 'experimentID',
  label: 'Or results of',
  kind: 'experiments',
  placeholder: 'an experiment',
};

const share: FieldSpec[] = [
  { property: 'share', label: 'Share of units now', as: 'number', unit: '%' },
  results,
];

const amounts: FieldSpec[] = [
  { property: 'mean', label: 'Mean now', as: 'number' },
  { property: 'deviation', label: 'Standard deviation', as: 'number' },
  results,
];

const traffic: FieldSpec[] = [
  { property: 'unitsPerDay', label: 'Targeted users a day', as: 'number' },
];

interface BaselineProps {
  id: string;
  metric: MetricReference;
  typed: Typed;
  onType: (edits: Typed) => void;
}

/** The values of a metric before the change, and the traffic. */
export function BaselineForm({ id, metric, typed, onType }: BaselineProps) {
  const { baselines = {} } = typed;
  const own: Baseline = baselines[id] ?? {};
  return (
    <div class="plan-base">
      <Fields specs={traffic} value={typed} set={onType} />
      <Fields
        specs={isShare(metric) ? share : amounts}
        value={own}
        set={(edits) => onType({ baselines: { ...baselines, [id]: { ...own, ...edits } } })}
      />
    </div>
  );
}
