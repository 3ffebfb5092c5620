import { type SQL, sql } from 'drizzle-orm';
import { isEqual } from '../../shared/equal.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { overRows } from '../sql/rows.ts';
import { type Statement, statement } from '../sql/statement.ts';
import { revisions } from '../sql/tables.ts';

/** A letter of a script without blanks between words: each is a token. */
const lone =
  /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}]]/gv;

/** One emoji of a joined sequence, or a flag, which is a pair of letters. */
const emoji = /\p{RI}{2}|[\p{ExtPict}\p{RI}]/gu;

/** A run of letters and digits with their marks, and of emoji with their modifiers and joiners. */
const run = /[\p{L}\p{N}\p{ExtPict}\p{RI}][\p{L}\p{N}\p{M}\p{ExtPict}\p{RI}\p{EMod}\u200d]*/gu;

/** Skin tones. An emoji is found in any skin tone. */
const color = /\p{EMod}/gu;

/** FTS5 treats emoji as blanks, but private characters as letters: plane 15 has one for each emoji. */
const asLetters = (picture: string) =>
  String.fromCodePoint(
    ...Array.from(picture, (one) => 0xf0000 | ((one.codePointAt(0) ?? 0) & 0xffff)),
  );

const spaced = (text: string) =>
  text
    .normalize('NFKC')
    .replace(color, ' ')
    .replace(lone, ' $& ')
    .replace(emoji, (picture) => ` ${asLetters(picture)} `);

/** Splits a search text into the phrases that find it. */
export const phrasesOf = (text: string): string[] =>
  (text.normalize('NFKC').match(run) ?? []).map((found) => spaced(found).trim());

const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return wordsOf(value.join(' '));
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
  // Leads to the first revision.
  entity: id,
  id: wordsOf(id),
  name: wordsOf(name),
  description: wordsOf(description),
  tags: wordsOf(tags),
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
  where id = value->>'entity' and kind = value->>'kind' and version = 1)`);

/** Reads no row: the first revision is the row that the previous statement inserted. */
const insertLast = insertAt(sql`last_insert_rowid()`);

const forgetOne = statement(sql`
  delete from search
  where rowid = (
    select seq from revisions
    where id = ${sql.placeholder('entity')} and kind = ${sql.placeholder('kind')} and version = 1)`);

const forgetMany = overRows((_, isGiven) => {
  const isOne = isGiven([revisions.id, revisions.kind], ['entity', 'kind']);
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
  const gone = changed.flatMap(({ old, now }) =>
    old && !now ? { kind: old.kind, entity: old.entity } : [],
  );
  const [only, ...others] = gone;
  return [
    ...(only && others.length === 0 ? [forgetOne(only)] : forgetMany(gone)),
    ...(isNew ? insertLast : insert)(changed.flatMap(({ now }) => now ?? [])),
  ];
}
