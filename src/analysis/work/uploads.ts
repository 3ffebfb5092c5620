import { sql } from 'drizzle-orm';
import { distinct } from '../../base/distinct.ts';
import { metricID } from '../../base/naming.ts';
import { dayLength, dayOfTime } from '../../base/time.ts';
import type { Metric } from '../../data/metrics/schema.ts';
import type { Start } from '../../experiments/starts/table.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { isPlanned } from '../plan/metric.ts';
import { type DueDay, everyMetric } from './due.ts';
import { loadedMetrics, type Plans } from './plans.ts';

/** The summary of an upload of values of units in the history; its ID types apply to each of its metrics. */
export interface Upload {
  date: string;
  metrics: string[];
  unitTypes: string[];
}

/** Returns the uploads among revisions; an imported revision may list no metrics. */
export const uploadsIn = (changed: readonly { upload: string | null }[]): Upload[] =>
  changed.flatMap(({ upload }) => {
    const parsed: Partial<Upload> = JSON.parse(upload ?? '{}');
    const { date, metrics, unitTypes } = parsed;
    const isListed = date && Array.isArray(metrics) && Array.isArray(unitTypes);
    return isListed ? [{ date, metrics, unitTypes }] : [];
  });

type MetricsByID = ReadonlyMap<string, Metric>;

interface UploadedMetric {
  id: string;
  unitType: string;
}

/** Selects the metrics that have uploaded values, with each ID type of these. */
export const readUploaded = (
  metrics: MetricsByID,
  analyses: readonly Pick<Start, 'unitType'>[],
): Statement<UploadedMetric> => {
  const wanted = [...metrics.values()].map(({ id, name, type }) => ({ id, name, type }));
  const types = distinct(analyses.map(({ unitType }) => unitType));
  return statement<UploadedMetric>(
    sql`select m.value ->> 'id' as id, t.value as unitType
      from json_each(${JSON.stringify(wanted)}) m cross join json_each(${JSON.stringify(types)}) t
      where exists (select 1 from unit_values u where u.metricName = m.value ->> 'name'
        and u.metricType = m.value ->> 'type' and u.unitType = t.value)`,
  )();
};

function withComponents(ids: readonly string[], found: MetricsByID): string[] {
  const parts = ids.flatMap((id) => found.get(id)?.metricComponentMetrics.map(metricID) ?? []);
  const all = distinct([...ids, ...parts]);
  return all.length > ids.length ? withComponents(all, found) : all;
}

/** Returns an analysis that computes its metrics with uploaded values from these. */
export function withUploaded(
  analysis: Start,
  found: MetricsByID,
  present: readonly UploadedMetric[],
): Start {
  const { uploaded: _, ...settings } = analysis.settings;
  const own = present.filter(({ unitType }) => unitType === analysis.unitType);
  const ids = new Set(own.map(({ id }) => id));
  const uploaded = withComponents(loadedMetrics(settings), found).filter((id) => ids.has(id));
  return { ...analysis, settings: { ...settings, ...(uploaded.length > 0 && { uploaded }) } };
}

/** Returns metrics that can see uploads, each with the first day that changes. */
export function changedByUploads(
  { unitType, start, settings }: Start,
  plans: Plans,
  uploads: readonly Upload[],
): { each: DueDay['metrics'][number]; from: number }[] {
  const own = uploads.filter(({ unitTypes }) => unitTypes.includes(unitType));
  return everyMetric(settings).flatMap((each) => {
    const plan = plans.get(each.metric);
    if (!plan || !isPlanned(plan) || plan.type !== 'units') return [];
    const first = dayOfTime(start) - (plan.pastDays ?? 0);
    const days = own
      .filter(({ metrics }) => metrics.some((id) => plan.uploads?.includes(id)))
      .map(({ date }) => Date.parse(date) / dayLength)
      .filter((day) => day >= first);
    return days.length > 0 ? [{ each, from: Math.min(...days) }] : [];
  });
}
