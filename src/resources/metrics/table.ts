import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels, namingMetrics } from '../../store/naming.ts';
import type { Metric } from './schema.ts';

export const metricTable = entityTable('metrics', {
  type: textField('type'),
});

export const metrics = collection<Metric>({
  kind: 'metric',
  title: 'Metric',
  table: metricTable,
  references: (metric) => [
    ...labels(metric),
    ...namingMetrics('metricComponentMetrics', metric.metricComponentMetrics),
  ],
});
