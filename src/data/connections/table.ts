import { kind } from '../../model/define_kind.ts';
import { entityTable, json, type TableRow } from '../../platform/store/sql/columns.ts';
import { redactSecrets } from './connection.ts';
import type { Connection } from './schema.ts';

export const connectionTable = entityTable('wh_connections', {
  settings: json<TableRow<Connection>['settings']>(),
});

export const connectionID = 'connection';

export const connections = kind<Connection>({
  kind: 'wh_connection',
  title: 'Connection',
  isAdministrative: true,
  table: connectionTable,
  redact: redactSecrets,
});
