import { and, gt, inArray, lte, sql } from 'drizzle-orm';
import { schedulerTransaction } from '../operations/scheduler.ts';
import { openAnalyses } from '../resources/analyses/opening.ts';
import { type Analysis, type AnalysisSettings, analyses } from '../resources/analyses/table.ts';
import { analysisOf } from '../resources/experiments/analysis.ts';
import { experiments } from '../resources/experiments/table.ts';
import { gates } from '../resources/gates/table.ts';
import { holdouts } from '../resources/holdouts/table.ts';
import { distinct } from '../shared/distinct.ts';
import { isEqual } from '../shared/equal.ts';
import { overRows } from '../store/sql/rows.ts';
import { compile, query, type Statement, statement } from '../store/sql/statement.ts';
import { revisions } from '../store/sql/tables.ts';
import { dayOf, isDecided, isFrozen, lastDay, reloadedDays } from './days.ts';
import { analysesOfGate, analysesOfHoldout } from './designs.ts';
import { type DueDay, everyMetric, joinDays, loadedDays, runsOf } from './due.ts';
import { cancelRuns } from './finish.ts';
import type { Load } from './job.ts';
import { definitionOf } from './plan/metric.ts';
import { metricsOf, plansOf, readMetrics } from './plans.ts';
import { removeAnalyses } from './removal.ts';
import { planRuns, restartRuns } from './runs.ts';
import { exposedID } from './scope.ts';
import { type Carriers, carriersOf, withTagged } from './tagged.ts';
import { changedByUploads, readUploaded, type Upload, uploadsIn, withUploaded } from './uploads.ts';

const maxRevisions = 1000;

const kindsInUse = ['experiment', 'gate', 'holdout', 'metric', 'unit_values'];

const uploadOf = sql<
  string | null
>`iif(${revisions.kind} = 'unit_values', ${revisions.snapshot}, null)`;

const readChanged = compile(
  query
    .select({
      seq: revisions.seq,
      kind: revisions.kind,
      id: revisions.id,
      upload: uploadOf.as('upload'),
    })
    .from(revisions)
    .where(
      and(
        gt(revisions.seq, sql.placeholder('after')),
        lte(revisions.seq, sql.placeholder('upTo')),
        inArray(revisions.kind, kindsInUse),
      ),
    ),
);

interface Wanted {
  analyses: Analysis[];
  existing: ReadonlySet<string>;
}

const keyOfEntity = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

async function readWanted(
  { db, now }: Load,
  changed: readonly { kind: string; id: string }[],
): Promise<Wanted> {
  const tx = schedulerTransaction(db, now);
  const idsOf = (kind: string) =>
    distinct(changed.filter((one) => one.kind === kind).map(({ id }) => id));
  const [someExperiments, someGates, someHoldouts] = await Promise.all([
    tx.findMany(experiments, idsOf('experiment')),
    tx.findMany(gates, idsOf('gate')),
    tx.findMany(holdouts, idsOf('holdout')),
  ]);
  const started = someExperiments.flatMap((experiment) =>
    experiment.startTime ? [analysisOf(experiment, experiment.startTime)] : [],
  );
  const found = [
    ...someExperiments.map(({ id }) => ({ kind: 'experiment', id })),
    ...someGates.map(({ id }) => ({ kind: 'gate', id })),
    ...someHoldouts.map(({ id }) => ({ kind: 'holdout', id })),
  ];
  return {
    analyses: [
      ...started,
      ...someGates.flatMap(analysesOfGate),
      ...someHoldouts.flatMap(analysesOfHoldout),
    ],
    existing: new Set(found.map(keyOfEntity)),
  };
}

const keyOfAnalysis = ({ kind, id, start }: Pick<Analysis, 'kind' | 'id' | 'start'>) =>
  JSON.stringify([kind, id, start]);

/** Whether an analysis gets no more results: its last day was loaded, and late data no longer change it. */
export function isOver(analysis: Analysis, now: number): boolean {
  if (isFrozen(analysis)) return true;
  const last = lastDay(analysis);
  if (last === null || analysis.dueDay <= last) return false;
  return isDecided(analysis) || dayOf(now) > last + reloadedDays + 1;
}

const withEntity = (analysis: Analysis, wanted: Analysis): Analysis =>
  isDecided(analysis)
    ? analysis
    : {
        ...analysis,
        assignmentEnd: wanted.assignmentEnd,
        endTime: wanted.endTime,
        settings: { ...wanted.settings, definitions: analysis.settings.definitions },
      };

const tagged = (analysis: Analysis, carriers: Carriers): Analysis =>
  isDecided(analysis)
    ? analysis
    : { ...analysis, settings: withTagged(analysis.settings, carriers) };

function withDefinitions(
  analysis: Analysis,
  found: Awaited<ReturnType<typeof readMetrics>>,
  uploads: readonly Upload[],
): { analysis: Analysis; days: DueDay[]; next: DueDay[] } {
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
  const settings: AnalysisSettings = { ...analysis.settings, definitions };
  const ds = analysis.dueDay;
  return {
    analysis: { ...analysis, settings },
    days: changed.flatMap(({ each, from }) =>
      loadedDays(analysis, [each], { from, to: Number.POSITIVE_INFINITY }),
    ),
    next: [
      { analysis, ds, metrics: changed.flatMap(({ each, from }) => (from <= ds ? each : [])) },
    ],
  };
}

const property = (name: string, isNested = false) =>
  sql`(${sql.identifier('value')} ${sql.raw(isNested ? '->' : '->>')} ${name})`;

/** Stores what entities decide; a decided analysis is only closed. Loads store other columns. */
const updateAnalyses = overRows((given) => {
  const of = (name: string, isNested?: boolean) => {
    const value = property(name, isNested);
    const isSame = sql`value ->> 'kind' = ${analyses.kind} and value ->> 'id' = ${analyses.id} and value ->> 'start' = ${analyses.start}`;
    return sql`(select ${value} from ${given} where ${isSame})`;
  };
  const undecided = (name: string, isNested?: boolean) =>
    sql`iif(settings ->> 'decided' is null, ${of(name, isNested)}, ${sql.identifier(name)})`;
  const keys = sql`(select value ->> 'kind', value ->> 'id', value ->> 'start' from ${given})`;
  return statement(sql`
    update analyses set
      assignmentEnd = ${undecided('assignmentEnd')}, endTime = ${undecided('endTime')},
      settings = ${undecided('settings', true)}, isOpen = ${of('isOpen')}
    where (kind, id, start) in ${keys} and (isOpen or settings ->> 'decided' is null)`);
});

/** Returns the statements that follow changed entities and metric definitions. */
export async function followEntities(
  load: Load,
  open: readonly Analysis[],
  look: { after: number; upTo: number },
): Promise<{ statements: Statement[]; seq: number }> {
  const upTo = Math.min(look.upTo, look.after + maxRevisions);
  const [changed] = await load.db.batch(readChanged({ after: look.after, upTo }));
  if (changed.length === 0) return { statements: [], seq: upTo };
  const entities = changed.filter(({ kind }) => !['metric', 'unit_values'].includes(kind));
  const { analyses: wanted, existing } = await readWanted(load, entities);
  const changedKeys = new Set(entities.map(keyOfEntity));
  const isChanged = (analysis: Analysis) =>
    changedKeys.has(keyOfEntity({ kind: analysis.kind, id: exposedID(analysis) }));
  const byKey = new Map(wanted.map((analysis) => [keyOfAnalysis(analysis), analysis]));
  const opened = new Set(open.map(keyOfAnalysis));
  const added = wanted.filter((analysis) => !opened.has(keyOfAnalysis(analysis)));
  const closed = open.filter((one) => isChanged(one) && !byKey.has(keyOfAnalysis(one)));
  const kept = open.filter((one) => !closed.includes(one));
  const present = kept.map((one) => withEntity(one, byKey.get(keyOfAnalysis(one)) ?? one));
  const before = new Map(kept.map((one) => [keyOfAnalysis(one), one]));
  const listed = [...present, ...added];
  const carriers = await carriersOf(schedulerTransaction(load.db, load.now), listed);
  const all = listed.map((one) => tagged(one, carriers));
  const found = await readMetrics(
    load,
    all.flatMap(({ settings }) => metricsOf(settings)),
  );
  const [uploaded] = await load.db.batch(readUploaded(found, all));
  const uploads = uploadsIn(changed);
  const defined = all.map((analysis) => {
    const known = before.get(keyOfAnalysis(analysis));
    return known && isDecided(known)
      ? { analysis, days: [], next: [] }
      : withDefinitions(withUploaded(analysis, found, uploaded), found, uploads);
  });
  const updated = defined
    .map(({ analysis }) => ({ ...analysis, isOpen: !isOver(analysis, load.now) }))
    .filter((analysis) => !isEqual(before.get(keyOfAnalysis(analysis)), analysis));
  const runsIn = (days: DueDay[]) => joinDays(days).flatMap((day) => runsOf(day, load.now));
  const runs = runsIn(defined.flatMap(({ days }) => days));
  const next = defined.flatMap(({ next: own }) => own).filter(({ metrics }) => metrics.length > 0);
  const removed = entities.filter(
    (one) => one.kind !== 'experiment' && !existing.has(keyOfEntity(one)),
  );
  return {
    seq: upTo,
    statements: [
      ...(added.length > 0 ? openAnalyses(added) : []),
      ...updateIfAny([...updated, ...closed.map((one) => ({ ...one, isOpen: false }))]),
      ...(runs.length > 0 ? planRuns(runs) : []),
      ...restartRuns(runsIn(next)),
      ...closed.flatMap((one) => cancelRuns(one, load.now)),
      ...removed.flatMap(removeAnalyses),
    ],
  };
}

/** Returns the statements that close analyses. */
export const closeAnalyses = (rows: readonly Analysis[]): Statement[] =>
  updateIfAny(rows.map((one) => ({ ...one, isOpen: false })));

const updateIfAny = (rows: readonly Analysis[]): Statement[] =>
  rows.length > 0 ? updateAnalyses(rows) : [];
