import { text } from 'drizzle-orm/sqlite-core';
import { naming, partID, type Reference } from '../../shared/naming.ts';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { typedPartKind } from '../../store/value_parts.ts';
import { typedKind } from '../layers/parameters.ts';
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

/** The parameter of another entity that one hands on. */
interface HandedOn {
  /** The property that names the entity, its kind and its id. */
  property: string;
  from: string;
  id: string;
  /** The kind of its parameters that have the type. */
  typed: string;
}

/** The reference to an entity that hands on one of its parameters, to that parameter, and to its type. */
function handedOn(
  at: string,
  param_name: string,
  { property, from, id, typed }: HandedOn,
): Reference[] {
  const parameter = partID(id, param_name);
  const named = `${from}_parameter`;
  const of = { kind: from, id };
  return [
    { ...of, property: `${at}.${property}` },
    { kind: named, id: parameter, property: `${at}.param_name`, of },
    { kind: typed, id: parameter, property: `${at}.param_type`, refines: named, of },
  ];
}

/** What a parameter takes its value from. */
function sources(parameter: Parameter, index: number): Reference[] {
  const at = `parameters.${index}`;
  const { param_type } = parameter;
  switch (parameter.ref_type) {
    case 'static':
      return [];
    case 'gate':
      return naming(`${at}.gate_name`, 'gate', parameter.gate_name);
    case 'layer': {
      const { layer_name: id, param_name } = parameter;
      const typed = typedKind(param_type);
      return handedOn(at, param_name, { property: 'layer_name', from: 'layer', id, typed });
    }
    case 'dynamic_config': {
      const { config_name: id, param_name } = parameter;
      const [property, from] = ['config_name', 'dynamic_config'];
      return handedOn(at, param_name, {
        property,
        from,
        id,
        typed: typedPartKind(from, param_type),
      });
    }
    case 'experiment': {
      const { experiment_name: id, param_name } = parameter;
      const [property, from] = ['experiment_name', 'experiment'];
      return handedOn(at, param_name, {
        property,
        from,
        id,
        typed: typedPartKind(from, param_type),
      });
    }
  }
}

export const paramStores = kind<ParamStore>({
  kind: 'param_store',
  title: 'Param store',
  table: paramStoreTable,
  labels: ({ tags, targetAppIDs }) => ({ tags, targetApps: targetAppIDs }),
  totals: [['team']],
  references: ({ parameters }) => parameters.flatMap(sources),
});
