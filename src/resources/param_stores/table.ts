import { collection } from '../../store/collection.ts';
import { entityTable } from '../../store/columns.ts';
import { naming, namingEach, partID, type Reference } from '../../store/naming.ts';
import type { Parameter, ParamStore } from './schema.ts';

export const paramStoreTable = entityTable('param_stores', {});

/** The reference to an entity that hands on one of its parameters, and to that parameter. */
const handedOn = (at: string, property: string, kind: string, id: string, parameter: string) => [
  ...naming(`${at}.${property}`, kind, id),
  ...naming(`${at}.param_name`, `${kind}_parameter`, partID(id, parameter)),
];

/** What a parameter takes its value from. */
function sources(parameter: Parameter, index: number): Reference[] {
  const at = `parameters.${index}`;
  switch (parameter.ref_type) {
    case 'static':
      return [];
    case 'gate':
      return naming(`${at}.gate_name`, 'gate', parameter.gate_name);
    case 'layer':
      return handedOn(at, 'layer_name', 'layer', parameter.layer_name, parameter.param_name);
    case 'dynamic_config': {
      const { config_name, param_name } = parameter;
      return handedOn(at, 'config_name', 'dynamic_config', config_name, param_name);
    }
    case 'experiment': {
      const { experiment_name, param_name } = parameter;
      return handedOn(at, 'experiment_name', 'experiment', experiment_name, param_name);
    }
  }
}

export const paramStores = collection<ParamStore>({
  kind: 'param_store',
  title: 'Param store',
  table: paramStoreTable,
  references: ({ tags, targetAppIDs, parameters }) => [
    ...namingEach('tags', 'tag', tags),
    ...namingEach('targetAppIDs', 'target_app', targetAppIDs),
    ...parameters.flatMap(sources),
  ],
});
