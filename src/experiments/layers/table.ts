import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { merge } from '../../base/fields.ts';
import { newID } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import { kind } from '../../model/define_kind.ts';
import { parameterParts } from '../../model/layer_anchors.ts';
import { initialHoldouts, withCurrentHoldouts } from '../../model/membership.ts';
import type { Draft, Transaction } from '../../platform/store/core/transaction.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import { activeOn } from '../experiments/lifecycle/allocation.ts';
import type { Experiment } from '../experiments/schema.ts';
import { experiments } from '../experiments/table.ts';
import { editLayerOverrides, noLayerOverrides, overrideReferences } from './overrides.ts';
import type { Layer, layerCreate, layerPatch } from './schema.ts';

export const layerTable = entityTable(
  'layers',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Layer['targetApps']>(),
    holdoutIDs: json<Layer['holdoutIDs']>(),
    tags: json<Layer['tags']>(),
    parameters: json<Layer['parameters']>(),
    team: text(),
    overrides: json<Layer['overrides']>(),
  },
  { filters: ['idType'] },
);

async function requireSameUnit(
  tx: Transaction,
  before: Layer | undefined,
  after: Layer | undefined,
) {
  if (!before || !after || before.idType === after.idType) return;
  const isOnIt = ({ status, layerID }: Experiment) => status === 'active' && layerID === after.id;
  const [running] = await tx.findAll(experiments, activeOn(experiments, [after.id]), isOnIt);
  if (running)
    throw new Problem(
      'transition',
      `idType cannot be changed while the experiment ${running.id} runs on the layer.`,
    );
}

export const layers = kind<Layer>({
  kind: 'layer',
  title: 'Layer',
  table: layerTable,
  list: {
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['idType'], ['team']],
  },
  refs: {
    outgoing: overrideReferences,
    parts: ({ id, parameters }) => parameterParts(id, parameters),
  },
  normalizeRestored: withCurrentHoldouts,
  mergeOverrides: (layer) => editLayerOverrides(layer, 'replace', layer.overrides),
  initialProperties: initialHoldouts('layer', 'layerIDs'),
  validate: requireSameUnit,
});

const defaults = {
  description: '',
  idType: 'userID',
  parameters: [],
  targetApps: [],
  tags: [],
  team: null,
};

export const newLayer = (body: z.infer<typeof layerCreate>): Draft<Layer> => ({
  ...defaults,
  holdoutIDs: [],
  overrides: noLayerOverrides,
  ...body,
  id: newID(body.id, body.name),
});

/** Returns a layer after a full update: missing properties get their defaults, except its name and ID type. */
export const replaceLayer = (layer: Layer, body: z.infer<typeof layerPatch>): Layer =>
  merge<Layer>({ ...layer, ...defaults, idType: layer.idType }, body);
