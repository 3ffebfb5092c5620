import { useState } from 'preact/hooks';
import { Fields } from '../recipe/fields.tsx';
import type { FieldSpec } from '../recipe/kind.ts';
import { Button } from '../ui/button.tsx';
import type { Draft } from './state.ts';

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

function inWords({ capped, pastDays, window, from, to }: Draft): string {
  const cap = capped === 0 ? 'No cap' : `Cap the top ${capped}%`;
  const past = pastDays === 0 ? 'CUPED off' : `CUPED on, ${pastDays} days`;
  const when = window === 'custom' ? `days ${from} to ${to}` : 'while exposed';
  return [cap, window === 'daily' ? 'by day' : when, past].join(' · ');
}

interface TreatmentProps {
  draft: Draft;
  set: (edits: Partial<Draft>) => void;
}

/** How outliers, the window and values before the exposure are treated. */
export function Treatment({ draft, set }: TreatmentProps) {
  const [isOpen, setOpen] = useState(false);
  const isDaily = draft.window === 'daily';
  const specs = usual.filter(({ property }) => property !== 'window' || !isDaily);
  return (
    <section class="box build-box" aria-labelledby="treatment">
      <div class="build-row build-ends">
        <h2 class="box-title" id="treatment">
          Outliers, window, CUPED
        </h2>
        <span class="small">{inWords(draft)}</span>
        <Button onClick={() => setOpen(!isOpen)}>{isOpen ? 'Close' : 'Change'}</Button>
      </div>
      {isOpen && (
        <div class="build-fields">
          <Fields
            specs={draft.window === 'custom' ? [...specs, ...days] : specs}
            value={draft}
            set={set}
          />
        </div>
      )}
    </section>
  );
}
