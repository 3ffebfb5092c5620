import { and, desc, eq, exists, gt, inArray, lt, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import type { Transaction } from '../../store/core/transaction.ts';
import { change, get } from '../../store/entities/entities.ts';
import { history } from '../../store/history/queries.ts';
import { changesBetween } from '../../store/history/record.ts';
import { constant, eachOf, property, unindexed } from '../../store/sql/expressions.ts';
import { compile, query } from '../../store/sql/statement.ts';
import { revisions } from '../../store/sql/tables.ts';
import { move } from './lifecycle.ts';
import type { abortResponse, Trigger } from './schema.ts';
import { triggers } from './table.ts';
import { targetOf } from './targets.ts';

type RolledBack = z.infer<typeof abortResponse>['takenBack'];

const changesOfRules = query
  .select({ property: property('property') })
  .from(eachOf(revisions.changes))
  .where(eq(property('property'), 'rules'));

const begun = alias(revisions, 'begun');

/** The change with which the release was created or imported. */
const beginning = query
  .select({ seq: begun.seq })
  .from(begun)
  .where(
    and(
      eq(begun.kind, constant(triggers.kind)),
      eq(begun.id, sql.placeholder('release')),
      inArray(begun.action, ['create', 'import']),
    ),
  )
  .orderBy(desc(begun.version))
  .limit(1);

const before = alias(revisions, 'before');

/** The entity's version at that time; an import restarts the versions. */
const versionBefore = query
  .select({ version: before.version })
  .from(before)
  .where(
    and(
      eq(before.kind, sql.placeholder('kind')),
      eq(before.id, sql.placeholder('id')),
      lt(unindexed(before.seq), beginning),
    ),
  )
  .orderBy(desc(before.version))
  .limit(1);

/** The changes of the entity's rules since then that no release made. */
const editsSince = compile(
  query
    .select({
      version: revisions.version,
      action: revisions.action,
      actorID: revisions.actorID,
      actorName: revisions.actorName,
      time: revisions.time,
    })
    .from(revisions)
    .where(
      and(
        history,
        gt(revisions.version, versionBefore),
        ne(revisions.action, 'release'),
        exists(changesOfRules),
      ),
    )
    .orderBy(desc(revisions.version)),
);

/** Stages the abort of a release and the rules before it; returns the changes that it rolls back. */
export async function abortRelease(
  tx: Transaction,
  id: string,
  phaseID: string,
  ifMatch: string | undefined,
): Promise<{ trigger: Trigger; takenBack: RolledBack }> {
  const { target, id: released } = targetOf(await get(tx, triggers, id));
  const of = { kind: target.kind.kind, id: released };
  const [[edits]] = await Promise.all([
    tx.read(editsSince({ ...of, release: id })),
    tx.find(target.kind, released), // joins the same round trip
  ]);
  const trigger = await change(tx, triggers, id, { action: 'abort', ifMatch }, (current) =>
    move(current, 'abort', phaseID, tx.author),
  );
  const changed = tx.changes.findLast(({ kind, id }) => kind.kind === of.kind && id === released);
  const changes = changed ? changesBetween(changed.kind, changed.before, changed.after) : [];
  const changesRules = changes.some((change) => change.property === 'rules');
  return { trigger, takenBack: { ...of, changes, edits: changesRules ? edits : [] } };
}
