import type { Editing, FieldSpec } from '../recipe/kind.ts';
import { Rows } from '../recipe/rows.tsx';
import type { Experiment } from '../types.ts';

type Overrides = NonNullable<Experiment['overrides']>;

const none: Overrides = { overrides: [], userIDOverrides: [] };

/** Units that are in a group whatever the assignment says. */
export function ExperimentOverrides({ editing }: { editing: Editing<Experiment> }) {
  const { value, lock, errors } = editing;
  const { overrides = none, groups } = value;
  const change = (part: Partial<Overrides>) =>
    editing.change({ overrides: { ...overrides, ...part } });
  const options = Object.fromEntries(groups.map(({ id, name }) => [id, name]));
  const group: FieldSpec = { property: 'groupID', label: 'Group', as: 'choice', options };
  const environment: FieldSpec = {
    property: 'environment',
    as: 'text',
    empty: null,
    placeholder: 'all environments',
  };
  const [first] = groups;
  return (
    <div class="stack">
      <section class="used">
        <h2 class="section-title">Certain units</h2>
        <Rows
          items={overrides.userIDOverrides}
          noun="override"
          place="userIDOverrides"
          none="No unit is put into a group by hand."
          specs={() => [group, { property: 'ids', as: 'tokens' }, environment]}
          fresh={() => ({ groupID: first?.id ?? '', ids: [] })}
          lock={lock}
          errors={errors}
          onChange={(userIDOverrides) => change({ userIDOverrides })}
        />
      </section>
      <section class="used">
        <h2 class="section-title">Whoever passes a gate, or is in a segment</h2>
        <Rows
          items={overrides.overrides}
          noun="condition"
          place="overrides"
          none="None."
          specs={({ type }) => [
            group,
            {
              property: 'type',
              label: 'By',
              as: 'choice',
              options: { gate: 'Gate', segment: 'Segment' },
            },
            { property: 'id', label: 'Which', as: 'pick', kind: `${type}s` },
            environment,
          ]}
          fresh={() => ({ type: 'gate' as const, id: '', groupID: first?.id ?? '' })}
          lock={lock}
          errors={errors}
          onChange={(conditional) => change({ overrides: conditional })}
        />
      </section>
    </div>
  );
}
