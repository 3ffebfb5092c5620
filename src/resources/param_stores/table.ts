import { text } from 'drizzle-orm/sqlite-core';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { naming, partID, type Reference } from '../../store/naming.ts';
import type { Parameter, ParamStore } from './schema.ts';

export const paramStoreTable = entityTable('param_stores', {
  name: text().notNull(),
  displayName: text().notNull(),
  description: text().notNull(),
  targetAppIDs: json<ParamStore['targetAppIDs']>(),
  tags: json<ParamStore['tags']>(),
  team: text().notNull(),
  parameters: json<ParamStore['parameters']>(),
});

/** The reference to an entity that hands on one of its parameters, and to that parameter. */
const handedOn = (at: string, property: string, from: string, id: string, parameter: string) => [
  ...naming(`${at}.${property}`, from, id),
  ...naming(`${at}.param_name`, `${from}_parameter`, partID(id, parameter)),
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

export const paramStores = kind<ParamStore>({
  kind: 'param_store',
  title: 'Param store',
  table: paramStoreTable,
  labels: ({ tags, targetAppIDs }) => ({ tags, targetApps: targetAppIDs }),
  references: ({ parameters }) => parameters.flatMap(sources),
});
