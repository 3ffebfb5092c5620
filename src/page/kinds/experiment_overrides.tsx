import type { Experiment } from '../base/types.ts';
import type { Editing, FieldSpec } from '../entity/kind.ts';
import { groupNames } from '../experiment/moves.ts';
import { environment, overridesIn } from '../experiment/settings.tsx';
import { by, GroupOverrides } from './group_overrides.tsx';

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
