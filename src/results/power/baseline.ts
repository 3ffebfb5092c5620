import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import type * as z from 'zod';
import { isPlanned } from '../../analysis/plan/metric.ts';
import { estimationOf } from '../../analysis/read/estimate.ts';
import { type ActiveRow, extentOfRead } from '../../analysis/sql/active.ts';
import { readMetrics } from '../../analysis/work/plans.ts';
import { parseJSON } from '../../base/json.ts';
import { Problem } from '../../base/problem.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { isObject } from '../../base/value_types.ts';
import { latestSnapshot } from '../../delivery/serving/current.ts';
import { targetingGates } from '../../engine/evaluation/compile/experiment.ts';
import { unboundedScope } from '../../engine/evaluation/compile.ts';
import { contextOf } from '../../engine/evaluation/context.ts';
import { evaluate } from '../../engine/evaluation/evaluate.ts';
import { environmentOf, sdkUser } from '../../engine/evaluation/user.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import type { Service } from '../../platform/env.ts';
import { withExperiment } from '../base/starts.ts';
import { datesOf, lastDays, perDay, planFor } from './preview.ts';
import type { baselineQuery, experimentBaseline } from './preview_schema.ts';

const userColumns = [sql`x.userID`, sql`x.unitIDs`, sql`x.metadata`];

function userOf({ raw }: ActiveRow) {
  const [userID, unitIDs, metadata] = raw.slice(-userColumns.length);
  const objectIn = (json: unknown) => {
    const parsed = parseJSON(String(json));
    return isObject(parsed) ? parsed : {};
  };
  const user = { userID, customIDs: objectIn(unitIDs), custom: objectIn(metadata) };
  return sdkUser(user, environmentOf(null));
}

async function targetedRows(c: Context<Service>, experiment: Experiment) {
  const names = targetingGates(experiment);
  if (names.length === 0) return () => true;
  const project = (await latestSnapshot(c.get('db'))).project(unboundedScope);
  const specs = names.map((name) => project.gates.get(name));
  const now = Date.now();
  return (row: ActiveRow) => {
    const context = contextOf(project, userOf(row), now);
    return specs.every((spec) => spec !== undefined && evaluate(context, spec).passes);
  };
}

/** Returns a metric among targeted units, from events of the last days. At most 6 round trips. @throws Problem 404 */
export async function targetedBaseline(
  c: Context<Service>,
  id: string,
  query: z.output<typeof baselineQuery>,
): Promise<z.output<typeof experimentBaseline>> {
  const { metricID, days: count = 14 } = query;
  const db = c.get('db');
  const [experiment, found] = await withExperiment(c, id, () =>
    readMetrics({ db, now: Date.now() }, [metricID]),
  );
  const metric = found.get(metricID);
  if (!metric) throw new Problem('not_found', `There is no metric with the id ${metricID}.`);
  const days = lastDays(count);
  const unitType = storedUnitType(experiment.idType);
  const plan = planFor(metric, unitType, (one) => found.get(one));
  const nothing = {
    ...{ metricID, ...datesOf(days) },
    ...{ units: 0, unitsPerDay: 0, isPartial: false, baseline: null, reasonDetail: null },
  };
  if (!isPlanned(plan)) return { ...nothing, reason: plan.reason, reasonDetail: plan.detail };
  if (plan.type === 'percentile') {
    const reasonDetail = 'A power analysis takes no percentile.';
    return { ...nothing, reason: 'not_computable', reasonDetail };
  }
  const isTargeted = await targetedRows(c, experiment);
  const { statement, estimate } = estimationOf(plan, unitType, days, userColumns);
  const [rows] = await db.batch(statement);
  const { units, covered, isPartial } = extentOfRead(rows, days);
  const targeted = rows.filter(isTargeted);
  if (targeted.length === 0) return { ...nothing, isPartial, reason: 'no_units' };
  const all = Math.round((units * targeted.length) / rows.length);
  const { baseline, reason } = estimate(targeted);
  return {
    ...nothing,
    ...{ units: all, unitsPerDay: perDay(all, covered), isPartial, baseline, reason },
  };
}
