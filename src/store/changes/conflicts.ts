import { and, eq, gt, sql } from 'drizzle-orm';
import { constant, failing } from '../sql/expressions.ts';
import { compile, query } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';

/** Fails the batch if a kind has more revisions than when it was read. */
export const refuseStale = compile(
  query
    .select({ failure: failing(constant('conflict')).as('failure') })
    .from(revisions)
    .where(
      and(
        eq(revisions.kind, sql.placeholder('kind')),
        gt(revisions.nthOfKind, sql.placeholder('count')),
      ),
    ),
);
