import { isFree } from '../base/compare_values.ts';
import type { ParamStore } from '../base/types.ts';
import { Rows } from '../entity/edit/rows.tsx';
import type { Editing, EntityValues, FieldSpec, KindPage } from '../entity/kind.ts';
import { about, name, settings, shortDescription, tags, team } from '../experiment/settings.tsx';
import { trying } from '../try/trying.tsx';
import { emptyValues } from '../values/empty_values.ts';
import { parametersColumn, valueFields, valueTypes } from '../values/value_types.ts';

type StoreParameter = ParamStore['parameters'][number];

const sources: Record<StoreParameter['ref_type'], string> = {
  static: 'A fixed value',
  gate: 'A gate',
  layer: 'A layer',
  dynamic_config: 'A dynamic config',
  experiment: 'An experiment',
};

const parameterOf: FieldSpec = { property: 'param_name', label: 'Parameter' };

const sourceFields = (as: FieldSpec['as']): Record<StoreParameter['ref_type'], FieldSpec[]> => ({
  static: [{ property: 'value', as }],
  gate: [
    { property: 'gate_name', label: 'Gate', kind: 'gates' },
    { property: 'pass_value', label: 'Value when on', as },
    { property: 'fail_value', label: 'Value when off', as },
  ],
  layer: [{ property: 'layer_name', label: 'Layer', kind: 'layers' }, parameterOf],
  dynamic_config: [
    { property: 'config_name', label: 'Dynamic config', kind: 'dynamic_configs' },
    parameterOf,
  ],
  experiment: [
    { property: 'experiment_name', label: 'Experiment', kind: 'experiments' },
    parameterOf,
  ],
});

const own: FieldSpec[] = [
  { property: 'name' },
  { property: 'param_type', label: 'Type', as: 'choice', options: valueTypes },
  { property: 'ref_type', label: 'Source', as: 'choice', options: sources },
];

function emptyParameter(
  { name: called, param_type }: Pick<StoreParameter, 'name' | 'param_type'>,
  ref_type: StoreParameter['ref_type'],
): StoreParameter {
  const base = { name: called, param_type };
  const value = emptyValues[param_type];
  switch (ref_type) {
    case 'gate':
      return {
        ...base,
        ref_type,
        gate_name: '',
        pass_value: param_type === 'boolean' || value,
        fail_value: value,
      };
    case 'layer':
      return { ...base, ref_type, layer_name: '', param_name: '' };
    case 'dynamic_config':
      return { ...base, ref_type, config_name: '', param_name: '' };
    case 'experiment':
      return { ...base, ref_type, experiment_name: '', param_name: '' };
    default:
      return { ...base, ref_type: 'static', value };
  }
}

function adjustValues(parameter: StoreParameter, changed: EntityValues): StoreParameter {
  const fresh = emptyParameter(parameter, parameter.ref_type);
  if ('ref_type' in changed) return fresh;
  if (!('param_type' in changed)) return parameter;
  const values = Object.entries(fresh).filter(([name]) => isFree(name));
  return Object.assign({}, parameter, Object.fromEntries(values));
}

const Parameters = ({ editing }: { editing: Editing<ParamStore> }) => (
  <Rows
    {...editing}
    property="parameters"
    noun="parameter"
    none="None yet."
    specs={({ ref_type, param_type }) => [
      ...own,
      ...sourceFields(valueFields[param_type])[ref_type],
    ]}
    follow={adjustValues}
    fresh={() => emptyParameter({ name: '', param_type: 'boolean' }, 'static')}
  />
);

export const paramStores: KindPage<ParamStore> = {
  path: 'param_stores',
  kind: 'param_store',
  group: 'Flags',
  one: 'param store',
  many: 'Param stores',
  icon: 'sliders',
  about: 'A param store gives an application values from any source under stable names.',
  columns: [parametersColumn],
  tabs: [
    { path: '', title: 'Parameters', View: Parameters },
    trying('param_store'),
    settings([
      name,
      { property: 'displayName' },
      about,
      tags,
      { property: 'targetAppIDs', as: 'tokens' },
      team,
    ]),
  ],
  creation: {
    fields: [name, { property: 'displayName', isNeeded: true }, shortDescription],
    values: { description: '' },
  },
};
