import { type SQL, sql } from 'drizzle-orm';
import { isEqual } from '../../../base/equal.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { overRows } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';

/** A letter or digit of a script without spaces between words, or with particles attached (Korean): each is a token. */
const singleCharacter =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}]]/gv;

const emoji = /\p{RI}{2}|[\p{ExtPict}\p{RI}]/gu;

/** A run of letters and digits with their marks, and of emoji with their modifiers and joiners. */
const run = /[\p{L}\p{N}\p{ExtPict}\p{RI}][\p{L}\p{N}\p{M}\p{ExtPict}\p{RI}\p{EMod}\u200d]*/gu;

const skinTone = /\p{EMod}/gu;

/** FTS5 treats emoji as separators, but private-use characters as letters: plane 15 has one for each emoji. */
const asLetters = (picture: string) =>
  String.fromCodePoint(
    ...Array.from(picture, (one) => 0xf0000 | ((one.codePointAt(0) ?? 0) & 0xffff)),
  );

const spaced = (text: string) =>
  text
    .normalize('NFKC')
    .replace(skinTone, ' ')
    .replace(singleCharacter, ' $& ')
    .replace(emoji, (picture) => ` ${asLetters(picture)} `);

/** Splits a search text into phrases; an entity must contain all of them. */
export const phrasesOf = (text: string): string[] =>
  (text.normalize('NFKC').match(run) ?? []).map((found) => spaced(found).trim());

const searchableText = (value: unknown): string => {
  if (Array.isArray(value)) return searchableText(value.join(' '));
  return typeof value === 'string' ? spaced(value) : '';
};

interface SearchSource {
  id: string;
  name?: unknown;
  description?: unknown;
  tags?: unknown;
}

/** Returns the search row of an entity. */
export const searchRowOf = (
  { kind }: Pick<Kind<Entity>, 'kind'>,
  { id, name, description, tags }: SearchSource,
) => ({
  kind,
  entityID: id,
  id: searchableText(id),
  name: searchableText(name),
  description: searchableText(description),
  tags: searchableText(tags),
});

/** Replaces, because FTS5 has no other upsert. */
const insertAt = (rowid: SQL) =>
  overRows((given) =>
    statement(sql`
      replace into search (rowid, kind, id, name, description, tags)
      select ${rowid}, value->>'kind', value->>'id', value->>'name', value->>'description',
        value->>'tags'
      from ${given}`),
  );

const insert = insertAt(sql`(
  select seq from revisions
  where id = value->>'entityID' and kind = value->>'kind' and version = 1)`);

/** Reads no row: the first revision is the row that the previous statement inserted. */
const insertAtLastRowid = insertAt(sql`last_insert_rowid()`);

const deleteOne = statement(sql`
  delete from search
  where rowid = (
    select seq from revisions
    where id = ${sql.placeholder('entityID')} and kind = ${sql.placeholder('kind')} and version = 1)`);

const deleteMany = overRows((_, isGiven) => {
  const isOne = isGiven([revisions.id, revisions.kind], ['entityID', 'kind']);
  return statement(sql`
    delete from search
    where rowid in (select seq from revisions where ${isOne} and version = 1)`);
});

type SearchedChange = Pick<NetChange, 'kind' | 'before' | 'after'>;

/** Returns the statements for search rows. `isNew`: the batch is one creation, whose revision was inserted last. */
export function searchStatements(net: SearchedChange[], isNew = false): Statement[] {
  const changed = net
    .map(({ kind, before, after }) => ({
      old: before && searchRowOf(kind, before),
      now: after && searchRowOf(kind, after),
    }))
    .filter(({ old, now }) => !isEqual(old, now));
  const removed = changed.flatMap(({ old, now }) =>
    old && !now ? { kind: old.kind, entityID: old.entityID } : [],
  );
  const [only, ...others] = removed;
  return [
    ...(only && others.length === 0 ? [deleteOne(only)] : deleteMany(removed)),
    ...(isNew ? insertAtLastRowid : insert)(changed.flatMap(({ now }) => now ?? [])),
  ];
}
