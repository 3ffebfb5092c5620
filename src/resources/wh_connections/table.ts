import { entityTable } from '../../store/columns.ts';

export const connectionTable = entityTable('wh_connections', {});
