import { text } from 'drizzle-orm/sqlite-core';
import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import { holdoutsNaming, keepHoldouts } from '../holdouts/member.ts';
import type { Prompt } from './schema.ts';

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
  labels: ({ tags, targetApps }) => ({ tags, targetApps }),
  totals: [['idType', 'team', 'teamID']],
  standing: holdoutsNaming('prompt', 'promptIDs'),
  restored: keepHoldouts,
});
