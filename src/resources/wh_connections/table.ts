import { collection } from '../../store/collection.ts';
import { entityTable } from '../../store/columns.ts';
import type { Connection } from './schema.ts';

export const connectionTable = entityTable('wh_connections', {});

/** The id of the one record there is. */
export const connectionID = 'connection';

export const connections = collection<Connection>({
  kind: 'wh_connection',
  title: 'Connection',
  table: connectionTable,
});
