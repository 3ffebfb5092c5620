import type { Editing, FieldSpec } from '../recipe/kind.ts';
import type { Experiment } from '../types.ts';
import { groupNames } from './experiment_moves.ts';
import { by, GroupOverrides } from './group_overrides.tsx';
import { environment, overridesIn } from './settings.tsx';

/** The tab of units that get a fixed group instead of an assignment. */
export function ExperimentOverrides({ editing }: { editing: Editing<Experiment> }) {
  const { value } = editing;
  const options = groupNames(value);
  const group: FieldSpec = { property: 'groupID', label: 'Group', as: 'choice', options };
  const groupID = value.groups[0]?.id ?? '';
  return (
    <GroupOverrides
      overrides={overridesIn(editing)}
      units={{
        property: 'userIDOverrides',
        specs: () => [group, { property: 'ids', as: 'tokens' }, environment],
        fresh: () => ({ groupID, ids: [] }),
      }}
      conditions={{
        property: 'overrides',
        specs: ({ type }) => [
          group,
          by,
          { property: 'id', label: 'ID', kind: `${type}s` },
          environment,
        ],
        fresh: () => ({ type: 'gate' as const, id: '', groupID }),
      }}
    />
  );
}
