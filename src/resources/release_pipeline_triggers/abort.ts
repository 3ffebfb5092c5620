import { and, desc, eq, exists, gt, ne, sql } from 'drizzle-orm';
import type * as z from 'zod';
import { change, get } from '../../store/entities.ts';
import { history } from '../../store/lookups.ts';
import { changesBetween } from '../../store/revisions.ts';
import { eachOf, property } from '../../store/sqlite.ts';
import { compile, query } from '../../store/statement.ts';
import { revisions } from '../../store/tables.ts';
import type { Transaction } from '../../store/terms.ts';
import { move } from './lifecycle.ts';
import type { abortResponse, Trigger } from './schema.ts';
import { triggers } from './table.ts';
import { targetOf } from './targets.ts';

type TakenBack = z.infer<typeof abortResponse>['takenBack'];

const changesOfRules = query
  .select({ property: property('property') })
  .from(eachOf(revisions.changes))
  .where(eq(property('property'), 'rules'));

/** The changes of the rules of an entity, since a version, that no release made. */
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
        gt(revisions.version, sql.placeholder('version')),
        ne(revisions.action, 'release'),
        exists(changesOfRules),
      ),
    )
    .orderBy(desc(revisions.version)),
);

/** Stages the end of a release and the rules before it; answers what that takes back. */
export async function abortRelease(
  tx: Transaction,
  id: string,
  phaseID: string,
  ifMatch: string | undefined,
): Promise<{ trigger: Trigger; takenBack: TakenBack }> {
  const before = await get(tx, triggers, id);
  const { target, id: of } = targetOf(before);
  const version = Number(before.configSnapshotID.split(':').at(-1));
  const [[edits]] = await Promise.all([
    tx.read(editsSince({ kind: target.kind, id: of, version })),
    target.find(tx, of), // is read in the same round trip
  ]);
  const trigger = await change(tx, triggers, id, { action: 'abort', ifMatch }, (current) =>
    move(current, 'abort', phaseID, tx.author),
  );
  const changed = tx.changes.findLast(({ kind, id }) => kind.kind === target.kind && id === of);
  const changes = changed ? changesBetween(changed.kind, changed.before, changed.after) : [];
  return { trigger, takenBack: { kind: target.kind, id: of, changes, edits } };
}
