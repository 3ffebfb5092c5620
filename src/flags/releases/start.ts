import { inArray } from 'drizzle-orm';
import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { refersTo } from '../../platform/store/integrity/references.ts';
import type { SQLCondition } from '../../platform/store/sql/statement.ts';
import { pipelines } from '../pipelines/table.ts';
import { isUnfinished, startedRelease } from './lifecycle.ts';
import { unfinishedStatuses } from './moves.ts';
import type { Trigger, triggerCreate } from './schema.ts';
import { triggers, triggerTable } from './table.ts';
import { applyRules, type ReleaseTarget, requireFittingRules, targetOf } from './targets.ts';

function unknown(property: string, id: string): Problem {
  const errorMessage = `refers to ${id}, which does not exist`;
  const errors = [{ property, errorMessage }];
  return new Problem('unknown_reference', `${property} ${errorMessage}.`, { errors });
}

/** Returns the unfinished releases of an entity: only these have a reference to it. */
export const findRunning = (tx: Transaction, { property, kind }: ReleaseTarget, id: string) =>
  tx.findAll(
    triggers,
    refersTo(triggers, kind.kind, id, property),
    (trigger) => trigger[property] === id && isUnfinished(trigger),
  );

function requireNoRelease([running]: Trigger[]): void {
  if (!running) return;
  const message = `The trigger ${running.id} is releasing the entity; let it finish, or abort it first.`;
  throw new Problem('transition', message);
}

const underWay: SQLCondition = {
  name: 'under way',
  where: inArray(triggerTable.status, [...unfinishedStatuses]),
  values: {},
};

const targetKey = ({ gateID, dynamicConfigID }: Trigger) =>
  JSON.stringify([gateID, dynamicConfigID]);

/** Throws Problem 409 if an imported release competes with another unfinished release of the same entity. */
export async function requireOneOfEach(tx: Transaction): Promise<void> {
  const { changes } = tx;
  if (!changes.some(({ kind }) => kind.kind === triggers.kind)) return;
  const running = await tx.findAll(triggers, underWay, isUnfinished);
  const byTarget = Map.groupBy(running, targetKey);
  for (const { kind, id, origin } of changes) {
    const own = kind.kind === triggers.kind && running.find((release) => release.id === id);
    if (!own) continue;
    tx.origin = origin;
    requireNoRelease((byTarget.get(targetKey(own)) ?? []).filter((other) => other !== own));
  }
}

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
    throw Problem.property(
      'releasePipelineID',
      `must be a pipeline with phases; ${releasePipelineID} has none`,
    );
  requireNoRelease(running);
  if (!released) throw unknown(target.property, id);
  requireFittingRules(released, pipeline.phases);
  const given = {
    gateID: gateID ?? '',
    dynamicConfigID: dynamicConfigID ?? '',
    description: description ?? '',
    configSnapshot: released.rules,
    earlierPipelineID: released.releasePipelineID,
    configSnapshotID: `${target.kind.kind}:${id}:${released.version}`,
  };
  const trigger = tx.create(triggers, startedRelease(pipeline, given, tx.author), 1);
  if (trigger.appliedPhaseID !== null) await applyRules(tx, trigger);
  return trigger;
}
