import type * as z from 'zod';
import { newID } from '../../shared/ids.ts';
import type { Draft } from '../../store/terms.ts';
import type { Prompt, promptCreate } from './schema.ts';

const empty = {
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: '',
};

/** A new prompt from the body of its creation. */
export const newPrompt = (body: z.infer<typeof promptCreate>): Draft<Prompt> => ({
  ...empty,
  ...body,
  id: newID(body.id, body.name),
});
