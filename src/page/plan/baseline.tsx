import { isShare } from '../base/metric_ids.ts';
import type { ExperimentBaseline } from '../base/types.ts';
import { countOf, mean } from '../charts/format.ts';
import { Fields } from '../entity/edit/fields.tsx';
import type { FieldSpec } from '../entity/kind.ts';
import { Select } from '../ui/select.tsx';
import { isUsable } from './estimates.ts';
import type { Baseline } from './power.ts';
import type { RoleJudged } from './roles.ts';
import type { TypedNumbers } from './typed.ts';

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

interface BaselineFormProps {
  chosen: RoleJudged;
  typed: TypedNumbers;
  onType: (edits: TypedNumbers) => void;
}

function BaselineForm({ chosen: { id }, typed, onType }: BaselineFormProps) {
  const { baselines = {} } = typed;
  const own: Baseline = baselines[id] ?? {};
  return (
    <div class="plan-base">
      <Fields specs={traffic} value={typed} set={onType} />
      <Fields
        specs={isShare(id) ? share : amounts}
        value={own}
        set={(edits) => onType({ baselines: { ...baselines, [id]: { ...own, ...edits } } })}
      />
    </div>
  );
}

const reasons: Record<NonNullable<ExperimentBaseline['reason']>, string> = {
  not_computable: 'the metric cannot be computed from events',
  unit_type: 'the metric is not measured for the ID type of the experiment',
  no_units: 'no targeted unit has an event',
  too_few_units: 'fewer than two targeted units have a value',
  zero_denominator: 'the denominator of all targeted units together is 0',
};

function baselineInWords(estimate: ExperimentBaseline | undefined, days: string): string {
  const of = `the last ${days} days`;
  if (!estimate || !isUsable(estimate)) {
    const why = estimate?.reason ? reasons[estimate.reason] : 'the metric has no values';
    return `No baseline from ${of}: ${why}. Type it instead.`;
  }
  const { baseline, units, unitsPerDay, isPartial } = estimate;
  const value = baseline ? mean(baseline.mean, baseline.isProportion) : '';
  const about = isPartial ? 'about ' : '';
  return `From events of ${of}: ${value} among ${about}${countOf(units)} targeted users, ${countOf(Math.round(unitsPerDay))} new a day.`;
}

interface BaselinesProps extends BaselineFormProps {
  estimate: ExperimentBaseline | undefined;
  isLoaded: boolean;
  days: string;
  onDays: (days: string) => void;
}

/** The values of a metric before the change, and the traffic: from events unless they are typed. */
export function Baselines({ estimate, isLoaded, days, onDays, ...form }: BaselinesProps) {
  const hasEstimate = isUsable(estimate);
  const { unitsPerDay, baselines } = form.typed;
  const isTyped = unitsPerDay !== undefined || baselines?.[form.chosen.id] !== undefined;
  return (
    <>
      <div class="plan-foot plan-from">
        <p role="status">{isLoaded ? baselineInWords(estimate, days) : 'Reading events …'}</p>
        <Select
          aria-label="Days of events"
          value={days}
          options={{ 14: '14 days', 28: '28 days' }}
          onChoose={onDays}
        />
      </div>
      {isLoaded && (
        <details class="plan-own" open={isTyped || !hasEstimate}>
          <summary>Type other values</summary>
          <BaselineForm {...form} />
        </details>
      )}
    </>
  );
}
