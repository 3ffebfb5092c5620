import type * as z from 'zod';
import { newID } from '../../shared/ids.ts';
import type { Draft } from '../../store/terms.ts';
import type { ParamStore, storeCreate, storeUpdate } from './schema.ts';

/** The whole of a body, with what it leaves out. */
export const complete = (body: z.infer<typeof storeUpdate>) => ({
  targetAppIDs: [],
  tags: [],
  team: '',
  parameters: [],
  ...body,
});

/** A new param store from the body of its creation. */
export const newStore = (body: z.infer<typeof storeCreate>): Draft<ParamStore> => ({
  ...complete(body),
  id: newID(body.id, body.name),
});
