import { sql } from 'drizzle-orm';
import type * as z from 'zod';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { changeEntity, readEntity } from '../../platform/store/entities/entities.ts';
import { changesBetween } from '../../platform/store/history/record.ts';
import { statement } from '../../platform/store/sql/statement.ts';
import { moveRelease } from './lifecycle.ts';
import type { abortResponse, Trigger } from './schema.ts';
import { triggers } from './table.ts';
import { targetOf } from './targets.ts';

type RolledBack = z.infer<typeof abortResponse>['takenBack'];

const [kind, id] = [sql.placeholder('kind'), sql.placeholder('id')];

const editsSince = statement<RolledBack['edits'][number]>(sql`
  select version, action, actorID, actorName, time from revisions
  where kind = ${kind} and id = ${id} and action <> 'release'
    and version > (
      select version from revisions
      where kind = ${kind} and id = ${id} and +seq < (
        select seq from revisions
        where kind = 'release_pipeline_trigger' and id = ${sql.placeholder('release')}
          and action in ('create', 'import')
        order by version desc limit 1)
      order by version desc limit 1)
    and exists (select 1 from json_each(changes) where value->>'property' = 'rules')
  order by version desc`);

/** Stages the abort of a release and the rules before it; returns the changes that it rolls back. */
export async function abortRelease(
  tx: Transaction,
  id: string,
  phaseID: string,
  ifMatch: string | undefined,
): Promise<{ trigger: Trigger; takenBack: RolledBack }> {
  const { target, id: released } = targetOf(await readEntity(tx, triggers, id));
  const of = { kind: target.kind.kind, id: released };
  const [[edits]] = await Promise.all([
    tx.read(editsSince({ ...of, release: id })),
    tx.find(target.kind, released), // joins the same round trip
  ]);
  const trigger = await changeEntity(tx, triggers, id, { action: 'abort', ifMatch }, (current) =>
    moveRelease(current, 'abort', phaseID, tx.author),
  );
  const changed = tx.changes.findLast(({ kind, id }) => kind.kind === of.kind && id === released);
  const changes = changed ? changesBetween(changed.kind, changed.before, changed.after) : [];
  const changesRules = changes.some((change) => change.property === 'rules');
  return { trigger, takenBack: { ...of, changes, edits: changesRules ? edits : [] } };
}
