import { inArray } from 'drizzle-orm';
import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { refersTo } from '../../store/integrity/references.ts';
import type { Condition } from '../../store/sql/statement.ts';
import { pipelines } from '../release_pipelines/table.ts';
import { isUnfinished, start } from './lifecycle.ts';
import { unfinished } from './moves.ts';
import type { Trigger, triggerCreate } from './schema.ts';
import { triggers, triggerTable } from './table.ts';
import { putInForce, requireFit, type Target, targetOf } from './targets.ts';

function unknown(property: string, id: string): Problem {
  const errorMessage = `names ${id}, which does not exist`;
  const errors = [{ property, errorMessage }];
  return new Problem('unknown_reference', `${property} ${errorMessage}.`, { errors });
}

/** The releases of one thing that are stored as under way: only these refer to it. */
export const findRunning = (tx: Transaction, { property, kind }: Target, id: string) =>
  tx.findAll(
    triggers,
    refersTo(triggers, kind.kind, id, property),
    (trigger) => trigger[property] === id && isUnfinished(trigger),
  );

/** 409 where a release is under way. */
function requireNone([running]: Trigger[]): void {
  if (!running) return;
  const message = `It is being released by the trigger ${running.id}; let that finish, or abort it first.`;
  throw new Problem('transition', message);
}

const underWay: Condition = {
  name: 'under way',
  where: inArray(triggerTable.status, [...unfinished]),
  values: {},
};

const targetKey = ({ gateID, dynamicConfigID }: Trigger) =>
  JSON.stringify([gateID, dynamicConfigID]);

/** 409 for a release that was brought from elsewhere where another of the same gate or dynamic config is under way. */
export async function requireOneOfEach(tx: Transaction): Promise<void> {
  const { changes } = tx;
  if (!changes.some(({ kind }) => kind.kind === triggers.kind)) return;
  const running = await tx.findAll(triggers, underWay, isUnfinished);
  const byTarget = Map.groupBy(running, targetKey);
  for (const { kind, id, origin } of changes) {
    const own = kind.kind === triggers.kind && running.find((release) => release.id === id);
    if (!own) continue;
    tx.origin = origin;
    requireNone((byTarget.get(targetKey(own)) ?? []).filter((other) => other !== own));
  }
}

/** Starts the release of a gate or dynamic config through a pipeline. */
export async function startRelease(
  tx: Transaction,
  body: z.infer<typeof triggerCreate>,
): Promise<Trigger> {
  const { releasePipelineID, gateID, dynamicConfigID, description } = body;
  const { target, id } = targetOf(body);
  const [pipeline, running, released] = await Promise.all([
    tx.find(pipelines, releasePipelineID),
    findRunning(tx, target, id),
    tx.find(target.kind, id),
  ]);
  if (!pipeline) throw unknown('releasePipelineID', releasePipelineID);
  if (pipeline.phases.length === 0)
    throw Problem.property('releasePipelineID', `names ${releasePipelineID}, which has no phases`);
  requireNone(running);
  if (!released) throw unknown(target.property, id);
  requireFit(released, pipeline.phases);
  const given = {
    gateID: gateID ?? '',
    dynamicConfigID: dynamicConfigID ?? '',
    description: description ?? '',
    configSnapshot: released.rules,
    earlierPipelineID: released.releasePipelineID,
    configSnapshotID: `${target.kind.kind}:${id}:${released.version}`,
  };
  const trigger = tx.create(triggers, start(pipeline, given, tx.author), 1);
  if (trigger.appliedPhaseID !== null) await putInForce(tx, trigger);
  return trigger;
}
