import type { Entity, UnitOverrides } from '../base/types.ts';
import { Fields } from '../entity/edit/fields.tsx';
import { Rows } from '../entity/edit/rows.tsx';
import type { FieldSpec, Tab } from '../entity/kind.ts';
import { environment, overridesIn } from '../experiment/settings.tsx';
import { Section } from '../ui/section.tsx';

type Overridden = Entity & { overrides: UnitOverrides };

const userIDs = (passing: string, failing: string): FieldSpec[] => [
  { property: 'passingUserIDs', label: passing, as: 'tokens', placeholder: 'user IDs' },
  { property: 'failingUserIDs', label: failing, as: 'tokens', placeholder: 'user IDs' },
];

const environmentFields = (passing: string, failing: string): FieldSpec[] => [
  environment,
  { property: 'unitID', label: 'ID type', names: 'unit_id_types' },
  { property: 'passingIDs', label: passing, as: 'tokens' },
  { property: 'failingIDs', label: failing, as: 'tokens' },
];

/** Returns the tab of units that always or never pass. */
export const unitOverrides = <E extends Overridden>(passing: string, failing: string): Tab<E> => ({
  path: 'overrides',
  title: 'Overrides',
  View: ({ editing }) => {
    const overrides = overridesIn(editing);
    return (
      <div class="stack">
        <p class="quiet">Overrides apply before any rule.</p>
        <Fields {...overrides} specs={userIDs(passing, failing)} />
        <Section title="By environment or ID type">
          <Rows
            {...overrides}
            property="environmentOverrides"
            noun="override"
            none="None yet."
            specs={() => environmentFields(passing, failing)}
            fresh={() => ({ environment: null, unitID: 'userID', passingIDs: [], failingIDs: [] })}
          />
        </Section>
      </div>
    );
  },
});
