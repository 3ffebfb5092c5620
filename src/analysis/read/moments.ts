import { and, eq, lte, type SQL, sql } from 'drizzle-orm';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { valuesIn } from '../../platform/store/sql/expressions.ts';
import { once, query } from '../../platform/store/sql/statement.ts';
import { analysisExposures, analysisMoments } from '../base/table.ts';

export interface WantedMoments {
  kind: Start['kind'];
  id: string;
  start: number;
  metrics: readonly string[];
  rollup: number;
  /** Days since 1970; only days with complete results are read. */
  from: number;
  to: number;
  dimension: string;
}

type MomentRow = typeof analysisMoments.$inferSelect;
type ExposureRow = typeof analysisExposures.$inferSelect;

export interface LoadedMoments {
  analysis: Start | undefined;
  moments: MomentRow[];
  exposures: ExposureRow[];
}

const startConditions = (
  table: typeof analyses | typeof analysisMoments | typeof analysisExposures,
  { kind, id, start }: WantedMoments,
): SQL[] => [eq(table.kind, kind), sql`${table.id} = ${id}`, sql`${table.start} = ${start}`];

/** Reads stored moments and exposures in one round trip. `json_each` keeps the key's order: metric, rollup, day. */
export async function loadMoments(db: Database, wanted: WantedMoments): Promise<LoadedMoments> {
  const { metrics, rollup, from, to, dimension } = wanted;
  const loaded = sql`(select loadedDay from analyses
    where kind = ${wanted.kind} and id = ${wanted.id} and start = ${wanted.start})`;
  const [[analysis], moments, exposures] = await db.batch(
    once(
      query
        .select()
        .from(analyses)
        .where(and(...startConditions(analyses, wanted))),
    ),
    once(
      query
        .select()
        .from(analysisMoments)
        .where(
          and(
            ...startConditions(analysisMoments, wanted),
            sql`${analysisMoments.metric} in ${valuesIn(JSON.stringify(metrics))}`,
            eq(analysisMoments.rollup, rollup),
            sql`${analysisMoments.ds} between ${from} and min(${to}, ${loaded})`,
            eq(analysisMoments.dimension, dimension),
          ),
        ),
    ),
    once(
      query
        .select()
        .from(analysisExposures)
        .where(
          and(
            ...startConditions(analysisExposures, wanted),
            sql`${analysisExposures.ds} >= ${from}`,
            lte(analysisExposures.ds, sql`min(${to}, ${loaded})`),
            eq(analysisExposures.dimension, dimension),
          ),
        ),
    ),
  );
  return { analysis, moments, exposures };
}
