import { and, gt, inArray, lte, sql } from 'drizzle-orm';
import { distinct } from '../../base/distinct.ts';
import { isEqual } from '../../base/equal.ts';
import { dayOfTime } from '../../base/time.ts';
import { startOf } from '../../experiments/experiments/analysis.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import { holdouts } from '../../experiments/holdouts/table.ts';
import { openAnalyses } from '../../experiments/starts/opening.ts';
import { analyses, type Start } from '../../experiments/starts/table.ts';
import { gates } from '../../flags/gates/table.ts';
import type { LoadJob } from '../../platform/scheduled/budget.ts';
import { schedulerTransaction } from '../../platform/scheduled/transaction.ts';
import { isAmongMany } from '../../platform/store/sql/rows.ts';
import { compileQuery, query, type Statement } from '../../platform/store/sql/statement.ts';
import { revisions } from '../../platform/store/sql/tables.ts';
import { isDecidedStart, isFrozen, lastDay, reloadedDays, withinEnd } from '../base/days.ts';
import { removeAnalyses } from '../base/removal.ts';
import { exposedID, keyOfAnalysis } from '../base/scope.ts';
import { cancelRuns } from '../day/finish.ts';
import { planRuns, restartRuns } from '../work/day_tasks.ts';
import { defineAll } from '../work/definitions.ts';
import { daysOfEnd, runsOfDays } from '../work/due.ts';
import { closeAnalyses, endAnalyses, updateAnalyses } from '../work/updates.ts';
import { uploadsIn } from '../work/uploads.ts';
import { analysesOfGate, analysesOfHoldout } from './designs.ts';

const maxRevisions = 1000;

const entityKinds = ['experiment', 'gate', 'holdout'];

const kindsInUse = [...entityKinds, 'metric', 'unit_values'];

const uploadOf = sql<
  string | null
>`iif(${revisions.kind} = 'unit_values', ${revisions.snapshot}, null)`;

const readChanged = compileQuery(
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

const readStored = compileQuery(
  query
    .select()
    .from(analyses)
    .where(isAmongMany([analyses.kind, analyses.id, analyses.start])),
);

interface WantedStarts {
  analyses: Start[];
  existing: ReadonlySet<string>;
}

const keyOfEntity = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

async function readWanted(
  { db, now }: LoadJob,
  changed: readonly { kind: string; id: string }[],
): Promise<WantedStarts> {
  const tx = schedulerTransaction(db, now);
  const idsOf = (kind: string) =>
    distinct(changed.filter((one) => one.kind === kind).map(({ id }) => id));
  const [someExperiments, someGates, someHoldouts] = await Promise.all([
    tx.findMany(experiments, idsOf('experiment')),
    tx.findMany(gates, idsOf('gate')),
    tx.findMany(holdouts, idsOf('holdout')),
  ]);
  const started = someExperiments.flatMap((experiment) =>
    experiment.startTime ? [startOf(experiment, experiment.startTime)] : [],
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

/** Whether an analysis gets no more results: its last day was loaded, and late data no longer change it. */
export function isOver(analysis: Start, now: number): boolean {
  if (isFrozen(analysis)) return true;
  const last = lastDay(analysis);
  if (last === null || analysis.dueDay <= last) return false;
  return isDecidedStart(analysis) || dayOfTime(now) > last + reloadedDays + 1;
}

const withEntity = (analysis: Start, wanted: Start): Start =>
  isDecidedStart(analysis)
    ? analysis
    : withinEnd({
        ...analysis,
        assignmentEnd: wanted.assignmentEnd,
        endTime: wanted.endTime,
        settings: { ...wanted.settings, definitions: analysis.settings.definitions },
      });

async function withClosed(
  { db }: LoadJob,
  open: readonly Start[],
  wanted: readonly Start[],
): Promise<readonly Start[]> {
  const opened = new Set(open.map(keyOfAnalysis));
  const keys = wanted
    .filter((one) => !opened.has(keyOfAnalysis(one)))
    .map(({ kind, id, start }) => ({ kind, id, start }));
  if (keys.length === 0) return open;
  const [closed] = await db.batch(readStored({ rows: JSON.stringify(keys) }));
  return [...open, ...closed];
}

function compareAnalyses(
  known: readonly Start[],
  entities: readonly { kind: string; id: string }[],
  wanted: readonly Start[],
) {
  const followed = new Set(entities.map(keyOfEntity));
  const byKey = new Map(wanted.map((analysis) => [keyOfAnalysis(analysis), analysis]));
  const stored = new Set(known.map(keyOfAnalysis));
  const isGone = (one: Start) =>
    followed.has(keyOfEntity({ kind: one.kind, id: exposedID(one) })) &&
    !byKey.has(keyOfAnalysis(one));
  const kept = known.filter((one) => !isGone(one));
  return {
    kept,
    closed: known.filter(isGone),
    added: wanted.filter((one) => !stored.has(keyOfAnalysis(one))),
    present: kept.map((one) => withEntity(one, byKey.get(keyOfAnalysis(one)) ?? one)),
  };
}

/** Returns the statements that apply changed entities, metrics and uploads. */
export async function followEntities(
  load: LoadJob,
  open: readonly Start[],
  look: { after: number; upTo: number },
): Promise<{ statements: Statement[]; seq: number }> {
  const upTo = Math.min(look.upTo, look.after + maxRevisions);
  const [changed] = await load.db.batch(readChanged({ after: look.after, upTo }));
  if (changed.length === 0) return { statements: [], seq: upTo };
  const entities = changed.filter(({ kind }) => entityKinds.includes(kind));
  const { analyses: wanted, existing } = await readWanted(load, entities);
  const known = await withClosed(load, open, wanted);
  const { kept, closed, added, present } = compareAnalyses(known, entities, wanted);
  const decided = new Set(kept.filter(isDecidedStart).map(keyOfAnalysis));
  const defined = await defineAll(load, [...present, ...added], {
    decided,
    uploads: uploadsIn(changed),
  });
  const before = new Map(kept.map((one) => [keyOfAnalysis(one), one]));
  const ended = defined.flatMap(({ analysis }) =>
    daysOfEnd(before.get(keyOfAnalysis(analysis)) ?? analysis, analysis),
  );
  const days = [...defined, ...ended].flatMap((one) => one.days);
  const next = [...defined, ...ended].flatMap((one) => one.next);
  const planned = new Set(days.map(({ analysis }) => keyOfAnalysis(analysis)));
  const updated = defined
    .map(({ analysis }) => ({
      ...analysis,
      isOpen: planned.has(keyOfAnalysis(analysis)) || !isOver(analysis, load.now),
    }))
    .filter((analysis) => !isEqual(before.get(keyOfAnalysis(analysis)), analysis));
  const removed = entities.filter(
    (one) => one.kind !== 'experiment' && !existing.has(keyOfEntity(one)),
  );
  return {
    seq: upTo,
    statements: [
      ...planRuns(runsOfDays(days, load.now)),
      ...ended.flatMap(({ analysis }) => endAnalyses(analysis, load.now)),
      ...openAnalyses(added),
      ...updateAnalyses(updated),
      ...closeAnalyses(closed),
      ...restartRuns(runsOfDays(next, load.now)),
      ...closed.flatMap((one) => cancelRuns(one, load.now)),
      ...removed.flatMap(removeAnalyses),
    ],
  };
}
