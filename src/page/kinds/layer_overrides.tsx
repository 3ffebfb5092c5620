import type { Layer } from '../base/types.ts';
import type { Editing, FieldSpec } from '../entity/kind.ts';
import { environment, overridesIn } from '../experiment/settings.tsx';
import { by, GroupOverrides } from './group_overrides.tsx';

const group: FieldSpec[] = [
  { property: 'experimentName', label: 'Experiment', kind: 'experiments' },
  { property: 'groupName', label: 'Group' },
];

/** Layers store "all environments" as an empty text instead of null. */
const layerEnvironment: FieldSpec = { ...environment, empty: '' };

const unitSpecs: FieldSpec[] = [
  ...group,
  { property: 'ids', as: 'tokens' },
  { property: 'idType', names: 'unit_id_types' },
  layerEnvironment,
];

/** The tab of units that get a fixed group of an experiment on the layer. */
export const LayerOverrides = ({ editing }: { editing: Editing<Layer> }) => (
  <GroupOverrides
    overrides={overridesIn(editing)}
    units={{
      property: 'idOverrides',
      specs: () => unitSpecs,
      fresh: () => ({
        experimentName: '',
        groupName: '',
        ids: [],
        idType: 'userID',
        environment: '',
      }),
    }}
    conditions={{
      property: 'conditionalOverrides',
      specs: ({ type }) => [by, { property: 'name', label: 'ID', kind: `${type}s` }, ...group],
      fresh: () => ({ type: 'gate' as const, name: '', experimentName: '', groupName: '' }),
    }}
  />
);
