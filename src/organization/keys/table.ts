import { eq, sql } from 'drizzle-orm';
import { integer, text } from 'drizzle-orm/sqlite-core';
import { Problem } from '../../base/problem.ts';
import { kind } from '../../model/define_kind.ts';
import type { KeyScope } from '../../platform/env.ts';
import { forgetKeys, isUsable, type KnownKey } from '../../platform/http/authenticate.ts';
import { boolean, columnsOf, entityTable, json } from '../../platform/store/sql/columns.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { compileQuery, query } from '../../platform/store/sql/statement.ts';
import { restoreKey } from './key.ts';
import { allReports, type Key, keyTypes } from './schema.ts';

function grantedScopes(before: Key | undefined, after: Key | undefined, now: number): KeyScope[] {
  if (!after) return [];
  const isSame = before?.hash === after.hash;
  const isRevived = before && !isUsable(before, now) && isUsable(after, now);
  // A deactivated key opens nothing. An expired key counts as new: the caller may not know its holder.
  const old = before && (!after.isActive || (isSame && !isRevived)) ? before.scopes : [];
  return after.scopes.filter((scope) => !old.includes(scope));
}

const mayGrant = (own: readonly string[], scope: KeyScope) =>
  own.includes(scope) || (own.includes('read') && ['evaluate', 'specs'].includes(scope));

/** Throws Problem 403 if a change grants a scope that the caller lacks; `now` in epoch milliseconds. */
function requireOwnScopes(
  own: readonly string[],
  before: Key | undefined,
  after: Key | undefined,
  now: number,
): void {
  const beyond = grantedScopes(before, after, now).find((scope) => !mayGrant(own, scope));
  if (beyond)
    throw new Problem(
      'forbidden',
      `The scope ${beyond} can only be granted by an API key that has it; this one has ${own.join(', ')}.`,
    );
}

export const keyTable = entityTable(
  'keys',
  {
    name: text().notNull(),
    type: text({ enum: keyTypes }).notNull().default('CONSOLE'),
    scopes: json<Key['scopes']>(),
    environments: text({ mode: 'json' }).$type<string[]>(),
    targetAppID: text(),
    reports: json<Key['reports']>().default(allReports),
    isActive: boolean(),
    expiresTime: integer(),
    ownerEmail: text(),
    hash: text().notNull(),
  },
  { lookups: [['hash']] },
);

export const keys = kind<Key>({
  kind: 'key',
  title: 'API key',
  isAdministrative: true,
  table: keyTable,
  list: {
    labels: ({ targetAppID }) => ({ targetApps: targetAppID === null ? [] : [targetAppID] }),
    totals: [[], ['ownerEmail']],
  },
  redact: (key) => ({ ...key, hash: '<KEY>' }),
  normalizeRestored: restoreKey,
  async validate(tx, before, after) {
    const { actor, time } = tx.author;
    requireOwnScopes(actor.scopes, before, after, time);
    tx.afterCommit.push(forgetKeys);
  },
});

const byHash = compileQuery(
  query
    .select(columnsOf(keyTable))
    .from(keyTable)
    .where(eq(keyTable.hash, sql.placeholder('hash'))),
);

/** Reads a key by the SHA-256 of its text, in one round trip. */
export async function findKey(db: Database, hash: string): Promise<KnownKey | undefined> {
  const [[key]] = await db.batch(byHash({ hash }));
  return key;
}
