import { entityTable } from '../../store/columns.ts';

export const paramStoreTable = entityTable('param_stores', {});
