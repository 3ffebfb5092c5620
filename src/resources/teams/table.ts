import { text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { entityTable } from '../../store/columns.ts';
import { nameKind } from '../../store/kind.ts';
import type { Team, teamCreate } from './schema.ts';

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

/** A team from the body of its registration; of one that is only used, its name is all there is. */
export const newTeam = ({ name, ...given }: z.infer<typeof teamCreate>) => ({
  id: name,
  name,
  description: '',
  ...given,
});
