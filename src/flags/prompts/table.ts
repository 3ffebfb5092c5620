import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { newID } from '../../base/ids.ts';
import { kind } from '../../model/define_kind.ts';
import { initialHoldouts, withCurrentHoldouts } from '../../model/membership.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Prompt, promptCreate } from './schema.ts';

export const promptTable = entityTable(
  'prompts',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Prompt['targetApps']>(),
    holdoutIDs: json<Prompt['holdoutIDs']>(),
    tags: json<Prompt['tags']>(),
    team: text().notNull(),
    teamID: text().notNull(),
  },
  { filters: ['teamID'] },
);

export const prompts = kind<Prompt>({
  kind: 'prompt',
  title: 'Prompt',
  table: promptTable,
  list: {
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['idType'], ['team', 'teamID']],
  },
  normalizeRestored: withCurrentHoldouts,
  initialProperties: initialHoldouts('prompt', 'promptIDs'),
});

export const newPrompt = (body: z.infer<typeof promptCreate>): Draft<Prompt> => ({
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: '',
  ...body,
  id: newID(body.id, body.name),
});
