import { Fields } from '../recipe/fields.tsx';
import type { Editing, FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Gate } from '../types.ts';

const userIDs: FieldSpec[] = [
  { property: 'passingUserIDs', label: 'Always pass', as: 'tokens', placeholder: 'user IDs' },
  { property: 'failingUserIDs', label: 'Never pass', as: 'tokens', placeholder: 'user IDs' },
];

const elsewhere: FieldSpec[] = [
  { property: 'environment', as: 'text', empty: null, placeholder: 'all environments' },
  { property: 'unitID', label: 'Kind of ID', as: 'text' },
  { property: 'passingIDs', label: 'Always pass', as: 'tokens' },
  { property: 'failingIDs', label: 'Never pass', as: 'tokens' },
];

const none = { passingUserIDs: [], failingUserIDs: [], environmentOverrides: [] };

/** Users who pass or fail whatever the rules say. */
export function GateOverrides({ editing }: { editing: Editing<Gate> }) {
  const { overrides = none } = editing.value;
  const { lock, errors } = editing;
  return (
    <div class="stack">
      <p class="quiet">Whatever the rules say, and before they are asked.</p>
      <Fields
        specs={userIDs}
        values={overrides}
        lock={lock}
        errors={errors}
        onChange={(property, value) =>
          editing.change({ overrides: Object.assign({}, overrides, { [property]: value }) })
        }
      />
      <h2 class="section-title">In one environment, or by another kind of ID</h2>
      <Rows
        items={overrides.environmentOverrides}
        noun="override"
        place="environmentOverrides"
        none="There are none."
        specs={() => elsewhere}
        fresh={() => ({ environment: null, unitID: 'userID', passingIDs: [], failingIDs: [] })}
        lock={lock}
        errors={errors}
        onChange={(environmentOverrides) =>
          editing.change({ overrides: { ...overrides, environmentOverrides } })
        }
      />
    </div>
  );
}
