import type { Editing, FieldSpec } from '../recipe/kind.ts';
import type { Experiment } from '../types.ts';
import { groupNames } from './experiment_moves.ts';
import { by, GroupOverrides } from './group_overrides.tsx';
import { environment } from './settings.tsx';

/** Units that are in a group of an experiment whatever the assignment says. */
export function ExperimentOverrides({ editing }: { editing: Editing<Experiment> }) {
  const { value, lock, errors } = editing;
  const { overrides, groups } = value;
  const change = (part: Partial<Experiment['overrides']>) =>
    editing.change({ overrides: { ...overrides, ...part } });
  const options = groupNames(value);
  const group: FieldSpec = { property: 'groupID', label: 'Group', as: 'choice', options };
  const first = groups[0]?.id ?? '';
  return (
    <GroupOverrides
      lock={lock}
      errors={errors}
      units={{
        place: 'userIDOverrides',
        items: overrides.userIDOverrides,
        specs: () => [group, { property: 'ids', as: 'tokens' }, environment],
        fresh: () => ({ groupID: first, ids: [] }),
        onChange: (userIDOverrides) => change({ userIDOverrides }),
      }}
      conditions={{
        place: 'overrides',
        items: overrides.overrides,
        specs: ({ type }) => [
          group,
          by,
          { property: 'id', label: 'Which', kind: `${type}s` },
          environment,
        ],
        fresh: () => ({ type: 'gate' as const, id: '', groupID: first }),
        onChange: (conditional) => change({ overrides: conditional }),
      }}
    />
  );
}
