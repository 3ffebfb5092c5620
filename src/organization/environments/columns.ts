import { entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Environments } from './schema.ts';

export const environmentsTable = entityTable('environments', {
  environments: json<Environments['environments']>(),
});
