import { nameKind } from '../../model/define_kind.ts';
import { nameTable } from '../../platform/store/sql/columns.ts';
import type { Team } from './schema.ts';

export const teamTable = nameTable('teams');

export const teams = nameKind<Team>({
  kind: 'team',
  title: 'Team',
  table: teamTable,
  idOf: ({ name }) => name,
});
