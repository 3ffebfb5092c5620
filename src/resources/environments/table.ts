import { entityTable, json } from '../../store/columns.ts';
import { kind } from '../../store/kind.ts';
import type { Environments } from './schema.ts';

export const environmentsTable = entityTable('environments', {
  environments: json<Environments['environments']>(),
});

/** The id of the one list there is. */
export const environmentsID = 'environments';

export const environments = kind<Environments>({
  kind: 'environments',
  title: 'List of environments',
  table: environmentsTable,
  parts: ({ environments }) => environments.map(({ name }) => ({ kind: 'environment', id: name })),
});
