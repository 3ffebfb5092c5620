import type * as z from 'zod';
import { newID, show } from '../../shared/fields.ts';
import type { Draft } from '../../store/terms.ts';
import { type Layer, type layerCreate, layerResponse } from './schema.ts';

/** A new layer from the body of its creation. */
export const newLayer = (body: z.infer<typeof layerCreate>): Draft<Layer> => ({
  description: '',
  idType: 'userID',
  parameters: [],
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  overrides: { conditionalOverrides: [], idOverrides: [] },
  ...body,
  id: newID(body.id, body.name),
});

/** A layer as it is answered. */
export const viewLayer = (layer: Layer) => show(layerResponse, layer);
