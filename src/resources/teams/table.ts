import { text } from 'drizzle-orm/sqlite-core';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { Team } from './schema.ts';

export const teamTable = entityTable('teams', {
  name: text().notNull(),
  description: text().notNull(),
});

export const teams = nameKind<Team>({
  kind: 'team',
  title: 'Team',
  table: teamTable,
  idOf: ({ name }) => name,
});
