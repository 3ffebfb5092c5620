import type * as z from 'zod';
import { merge } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import type { Draft } from '../../store/terms.ts';
import { noLayerOverrides } from './overrides.ts';
import type { Layer, layerCreate, layerPatch } from './schema.ts';

/** What a layer is where a body does not say. */
const defaults = {
  description: '',
  idType: 'userID',
  parameters: [],
  targetApps: [],
  tags: [],
  team: null,
};

/** A new layer from the body of its creation. */
export const newLayer = (body: z.infer<typeof layerCreate>): Draft<Layer> => ({
  ...defaults,
  holdoutIDs: [],
  overrides: noLayerOverrides,
  ...body,
  id: newID(body.id, body.name),
});

/** A layer after a full update: what is absent is as in a new one, but for its name and its unit. */
export const replaceLayer = (layer: Layer, body: z.infer<typeof layerPatch>): Layer =>
  merge<Layer>({ ...layer, ...defaults, idType: layer.idType }, body);
