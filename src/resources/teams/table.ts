import { nameTable } from '../../store/sql/columns.ts';
import { nameKind } from '../define_kind.ts';
import type { Team } from './schema.ts';

export const teamTable = nameTable('teams');

export const teams = nameKind<Team>({
  kind: 'team',
  title: 'Team',
  table: teamTable,
  idOf: ({ name }) => name,
});
