import { Fields } from '../recipe/fields.tsx';
import type { Editing, FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Entity, UnitOverrides } from '../types.ts';
import { Section } from '../ui/section.tsx';
import { environment } from './settings.tsx';

type Overridden = Entity & { overrides: UnitOverrides };

/** What it is called to be put on one side, and on the other. */
interface Sides {
  passing: string;
  failing: string;
}

const userIDs = ({ passing, failing }: Sides): FieldSpec[] => [
  { property: 'passingUserIDs', label: passing, as: 'tokens', placeholder: 'user IDs' },
  { property: 'failingUserIDs', label: failing, as: 'tokens', placeholder: 'user IDs' },
];

const elsewhere = ({ passing, failing }: Sides): FieldSpec[] => [
  environment,
  { property: 'unitID', label: 'Kind of ID', names: 'unit_id_types' },
  { property: 'passingIDs', label: passing, as: 'tokens' },
  { property: 'failingIDs', label: failing, as: 'tokens' },
];

interface OverridesProps<E extends Overridden> {
  editing: Editing<E>;
  sides: Sides;
}

/** Units that are put on a side whatever else is said. */
export function UnitOverridesOf<E extends Overridden>({ editing, sides }: OverridesProps<E>) {
  const { value, lock, errors } = editing;
  const { overrides } = value;
  const change = (property: string, next: unknown) =>
    editing.set({ overrides: { ...overrides, [property]: next } });
  return (
    <div class="stack">
      <p class="quiet">Decided here first, before anything else is asked.</p>
      <Fields
        specs={userIDs(sides)}
        values={overrides}
        lock={lock}
        errors={errors}
        onChange={change}
      />
      <Section title="In one environment, or by another kind of ID">
        <Rows
          items={overrides.environmentOverrides}
          noun="override"
          place="environmentOverrides"
          none="There are none."
          specs={() => elsewhere(sides)}
          fresh={() => ({ environment: null, unitID: 'userID', passingIDs: [], failingIDs: [] })}
          lock={lock}
          errors={errors}
          onChange={(next) => change('environmentOverrides', next)}
        />
      </Section>
    </div>
  );
}
