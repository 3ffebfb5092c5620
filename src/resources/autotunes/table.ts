import { collection } from '../../store/collection.ts';
import { entityTable } from '../../store/columns.ts';
import { labels, naming } from '../../store/naming.ts';
import type { Autotune } from './schema.ts';

export const autotuneTable = entityTable('autotunes', {});

export const autotunes = collection<Autotune>({
  kind: 'autotune',
  title: 'Autotune',
  table: autotuneTable,
  references: (autotune) => [
    ...labels(autotune),
    ...naming('linkedExperimentName', 'experiment', autotune.linkedExperimentName),
  ],
});
