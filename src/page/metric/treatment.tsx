import { Fields } from '../entity/edit/fields.tsx';
import type { FieldSpec } from '../entity/kind.ts';
import { Card } from './card.tsx';
import type { Treated } from './state.ts';

const usual: FieldSpec[] = [
  {
    property: 'capped',
    label: 'Lower the top',
    as: 'number',
    unit: '%',
    hint: 'The largest values are lowered to the next one. 0 keeps all.',
  },
  {
    property: 'pastDays',
    label: 'Compare with the days before',
    as: 'number',
    unit: 'days',
    hint: 'CUPED reduces the variance by values before the exposure. 0 turns it off.',
  },
  {
    property: 'window',
    label: 'Events that count',
    as: 'choice',
    options: { max: 'while exposed', custom: 'some days after the exposure' },
  },
];

const days: FieldSpec[] = [
  { property: 'from', label: 'From day', as: 'number', hint: '0 is the exposure.' },
  { property: 'to', label: 'To day', as: 'number' },
];

function treatmentInWords({ capped, pastDays, window, from, to }: Treated): string {
  const cap = capped === 0 ? 'No cap' : `Cap the top ${capped}%`;
  const past = pastDays === 0 ? 'CUPED off' : `CUPED on, ${pastDays} days`;
  const when = window === 'custom' ? `days ${from} to ${to}` : 'while exposed';
  return [cap, window === 'daily' ? 'by day' : when, past].join(' · ');
}

interface TreatmentProps {
  draft: Treated;
  set: ((edits: Partial<Treated>) => void) | undefined;
}

export function Treatment({ draft, set }: TreatmentProps) {
  const isDaily = draft.window === 'daily';
  const specs = usual.filter(({ property }) => property !== 'window' || !isDaily);
  const fields = set && (
    <div class="build-fields">
      <Fields
        specs={draft.window === 'custom' ? [...specs, ...days] : specs}
        value={draft}
        set={set}
      />
    </div>
  );
  return <Card title="Outliers, window, CUPED" note={treatmentInWords(draft)} fields={fields} />;
}
