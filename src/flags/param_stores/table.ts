import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { newID } from '../../base/ids.ts';
import { partID, type Reference, referenceTo } from '../../base/naming.ts';
import { kind } from '../../model/define_kind.ts';
import { typedKind } from '../../model/layer_anchors.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { typedPartKind } from '../rules/value_parts.ts';
import type { Parameter, ParamStore, storeCreate, storeUpdate } from './schema.ts';

export const paramStoreTable = entityTable('param_stores', {
  name: text().notNull(),
  displayName: text().notNull(),
  description: text().notNull(),
  targetAppIDs: json<ParamStore['targetAppIDs']>(),
  tags: json<ParamStore['tags']>(),
  team: text().notNull(),
  parameters: json<ParamStore['parameters']>(),
});

function referenceOfParameter(parameter: Exclude<Parameter, { ref_type: 'static' | 'gate' }>) {
  switch (parameter.ref_type) {
    case 'layer':
      return { property: 'layer_name', kind: 'layer', id: parameter.layer_name };
    case 'dynamic_config':
      return { property: 'config_name', kind: 'dynamic_config', id: parameter.config_name };
    case 'experiment':
      return { property: 'experiment_name', kind: 'experiment', id: parameter.experiment_name };
  }
}

function sources(parameter: Parameter, index: number): Reference[] {
  const at = `parameters.${index}`;
  if (parameter.ref_type === 'static') return [];
  if (parameter.ref_type === 'gate')
    return referenceTo(`${at}.gate_name`, 'gate', parameter.gate_name);
  const { param_name, param_type } = parameter;
  const { property, kind, id } = referenceOfParameter(parameter);
  const part = partID(id, param_name);
  const named = `${kind}_parameter`;
  const typed = kind === 'layer' ? typedKind(param_type) : typedPartKind(kind, param_type);
  const of = { kind, id };
  return [
    { ...of, property: `${at}.${property}` },
    { kind: named, id: part, property: `${at}.param_name`, of },
    { kind: typed, id: part, property: `${at}.param_type`, refines: named, of },
  ];
}

export const paramStores = kind<ParamStore>({
  kind: 'param_store',
  title: 'Param store',
  table: paramStoreTable,
  list: {
    labels: ({ tags, targetAppIDs }) => ({ tags, targetApps: targetAppIDs }),
    totals: [[], ['team']],
  },
  refs: {
    outgoing: ({ parameters }) => parameters.flatMap(sources),
  },
});

export const withStoreDefaults = (body: z.infer<typeof storeUpdate>) => ({
  targetAppIDs: [],
  tags: [],
  team: '',
  parameters: [],
  ...body,
});

export const newStore = (body: z.infer<typeof storeCreate>): Draft<ParamStore> => ({
  ...withStoreDefaults(body),
  id: newID(body.id, body.name),
});
