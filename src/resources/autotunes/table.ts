import { entityTable } from '../../store/columns.ts';

export const autotuneTable = entityTable('autotunes', {});
