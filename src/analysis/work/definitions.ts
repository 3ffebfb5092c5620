import type { Start, StartSettings } from '../../experiments/starts/table.ts';
import type { LoadJob } from '../../platform/scheduled/budget.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { isDecidedStart } from '../base/days.ts';
import { keyOfAnalysis } from '../base/scope.ts';
import { definitionOf } from '../plan/metric.ts';
import { type DueDay, everyMetric, loadedDays } from './due.ts';
import { loadedMetrics, plansOf, readMetrics } from './plans.ts';
import { type Carriers, carriersOf, withTagged } from './tagged.ts';
import { changedByUploads, readUploaded, type Upload, withUploaded } from './uploads.ts';

const tagged = (analysis: Start, carriers: Carriers): Start =>
  isDecidedStart(analysis)
    ? analysis
    : { ...analysis, settings: withTagged(analysis.settings, carriers) };

interface Defined {
  analysis: Start;
  days: DueDay[];
  /** The next day, which may be under way. */
  next: DueDay[];
}

function withDefinitions(
  analysis: Start,
  found: Awaited<ReturnType<typeof readMetrics>>,
  uploads: readonly Upload[],
): Defined {
  const plans = plansOf(analysis, found);
  const definitions = Object.fromEntries(
    [...plans].map(([metric, plan]) => [metric, definitionOf(plan)]),
  );
  const before = analysis.settings.definitions;
  const changed = [
    ...everyMetric(analysis.settings)
      .filter(({ metric }) => definitions[metric] !== before[metric])
      .map((each) => ({ each, from: 0 })),
    ...changedByUploads(analysis, plans, uploads),
  ];
  const settings: StartSettings = { ...analysis.settings, definitions };
  const ds = analysis.dueDay;
  const metrics = changed.flatMap(({ each, from }) => (from <= ds ? each : []));
  return {
    analysis: { ...analysis, settings },
    days: changed.flatMap(({ each, from }) =>
      loadedDays(analysis, [each], { from, to: Number.POSITIVE_INFINITY }),
    ),
    next: metrics.length > 0 ? [{ analysis, ds, metrics }] : [],
  };
}

/** Returns analyses with their present metrics and definitions, and the days that change; those in `decided` stay as they are. */
export async function defineAll(
  load: LoadJob,
  listed: readonly Start[],
  { decided, uploads }: { decided: ReadonlySet<string>; uploads: readonly Upload[] },
): Promise<Defined[]> {
  const carriers = await carriersOf(schedulerTransaction(load.db, load.now), listed);
  const all = listed.map((one) => tagged(one, carriers));
  const found = await readMetrics(
    load,
    all.flatMap(({ settings }) => loadedMetrics(settings)),
  );
  const [uploaded] = await load.db.batch(readUploaded(found, all));
  return all.map((analysis) =>
    decided.has(keyOfAnalysis(analysis))
      ? { analysis, days: [], next: [] }
      : withDefinitions(withUploaded(analysis, found, uploaded), found, uploads),
  );
}
