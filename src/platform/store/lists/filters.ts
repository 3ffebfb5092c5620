import { and, eq, exists, gte, inArray, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { phrasesOf } from '../derived/search_rows.ts';
import { isCounted } from '../derived/totals.ts';
import { columnOf } from '../sql/columns.ts';
import { bound, unindexed, valuesIn } from '../sql/expressions.ts';
import { search } from '../sql/search_table.ts';
import { query, type SQLCondition } from '../sql/statement.ts';
import { labels, revisions } from '../sql/tables.ts';

export type Filter = ByColumn | ByEither | ByRange | ByLabel | SQLCondition;

interface ByColumn {
  column: string;
  values: readonly unknown[];
}

interface ByEither {
  either: readonly [ByColumn, ByColumn];
}

interface ByRange {
  column: string;
  since?: number | undefined;
  before?: number | undefined;
}

interface ByLabel {
  label: string;
  values: readonly string[];
}

/** How a query reaches matching rows: an index of the table, one label's rows in order of creation, or IDs of several labels. */
export interface AccessPath {
  by: 'index' | 'label' | 'ids';
  property: string;
  /** Whether the values are an array, sent as JSON. */
  isMany: boolean;
  having(wanted: SQL): SQL | undefined;
}

/** A filter compiled to SQL. Functions, because most queries are built once and cached by `name`. */
export interface FilterPart extends Omit<SQLCondition, 'where'> {
  where(): SQL | undefined;
  /** The condition for rows reached by another path, written so that SQLite uses no index for it. */
  checked(): SQL | undefined;
  /** The access paths that together reach all matching rows; empty if no index or label does. */
  accessPaths: AccessPath[];
}

/** Returns the placeholder for the values of an access path. */
export const placeholderOfPath = ({ property }: AccessPath) => bound(property);

/** Compares a column with one value, or with an array of values. */
export const equalsOrIn = (column: SQLWrapper, isMany: boolean, values: SQL): SQL =>
  isMany ? inArray(column, valuesIn(values)) : eq(column, values);

function columnPart(kind: Kind<Entity>, { column, values }: ByColumn): FilterPart {
  const columnRef = columnOf(kind.table, column);
  const isMany = values.length !== 1;
  const isBoolean = !isMany && typeof values[0] === 'boolean';
  // Booleans are bound as 'true' or 'false', the form in totals: D1 would compare the number 1 as 1.0.
  const having = (wanted: SQL) =>
    equalsOrIn(columnRef, isMany, isBoolean ? sql`(${wanted} = 'true')` : wanted);
  const path: AccessPath = { by: 'index', property: column, isMany, having };
  const where = () => having(placeholderOfPath(path));
  const value = isBoolean ? String(values[0]) : values[0];
  return {
    name: isMany ? `${column} of some` : column,
    where,
    checked: () => unindexed(where()),
    values: { [column]: isMany ? JSON.stringify(values) : value },
    accessPaths: isCounted(kind, column) ? [path] : [],
  };
}

function eitherPart(kind: Kind<Entity>, { either }: ByEither): FilterPart {
  const [one, other] = [columnPart(kind, either[0]), columnPart(kind, either[1])];
  return {
    name: `${one.name} or ${other.name}`,
    where: () => or(one.where(), other.where()),
    checked: () => or(one.checked(), other.checked()),
    values: { ...one.values, ...other.values },
    accessPaths: [...one.accessPaths, ...other.accessPaths],
  };
}

type Labels = Record<'kind' | 'label' | 'value', SQLiteColumn>;

function labelPart(kind: Kind<Entity>, { label, values }: ByLabel, all: boolean): FilterPart {
  const {
    table,
    list: { hidden },
  } = kind;
  const isMany = values.length !== 1;
  const hasLabel = (row: Labels, wanted: SQL) =>
    and(eq(row.kind, kind.kind), eq(row.label, label), equalsOrIn(row.value, isMany, wanted));
  const idsOf = (wanted: SQL) =>
    query.select({ id: labels.id }).from(labels).where(hasLabel(labels, wanted));
  const path: AccessPath = {
    by: isMany ? 'ids' : 'label',
    property: label,
    isMany,
    having: (wanted) => (isMany ? inArray(table.id, idsOf(wanted)) : hasLabel(labels, wanted)),
  };
  const checked = () => {
    const rowLabels = alias(labels, 'rowLabels');
    // Compares all columns of the labels' primary key, so that each value costs one lookup.
    const isLabelOfRow = and(
      hasLabel(rowLabels, placeholderOfPath(path)),
      inArray(rowLabels.hidden, hidden && all ? [false, true] : [false]),
      eq(rowLabels.createdTime, table.createdTime),
      eq(rowLabels.id, table.id),
    );
    return exists(query.select({ id: rowLabels.id }).from(rowLabels).where(isLabelOfRow));
  };
  return {
    name: isMany ? `${label} of some` : label,
    where: checked,
    checked,
    values: { [label]: isMany ? JSON.stringify(values) : values[0] },
    accessPaths: [path],
  };
}

function rangePart({ table }: Kind<Entity>, { column, since, before }: ByRange): FilterPart {
  const columnRef = columnOf(table, column);
  const [from, to] = [`${column}Since`, `${column}Before`];
  const where = () =>
    and(
      since === undefined ? undefined : gte(columnRef, sql.placeholder(from)),
      before === undefined ? undefined : lt(columnRef, sql.placeholder(to)),
    );
  const name = `${column} since ${since !== undefined} before ${before !== undefined}`;
  return { name, where, checked: where, values: { [from]: since, [to]: before }, accessPaths: [] };
}

/** Returns the forms of a filter; `all` includes hidden entities. */
export function filterPart(kind: Kind<Entity>, filter: Filter, all: boolean): FilterPart {
  if ('where' in filter) {
    const where = () => filter.where;
    return { ...filter, where, checked: where, accessPaths: [] };
  }
  if ('either' in filter) return eitherPart(kind, filter);
  if ('label' in filter) return labelPart(kind, filter, all);
  if ('values' in filter) return columnPart(kind, filter);
  return rangePart(kind, filter);
}

/** Returns an FTS5 expression: each phrase is quoted, so that it contains no syntax, and its last word is a prefix. */
const expressionOf = (kind: string, phrases: string[]) =>
  `kind : "${kind}" AND {id name description tags} : (${phrases.map((phrase) => `"${phrase}"*`).join(' AND ')})`;

/** D1 runs a cross join in the order in which it is written. */
const idsFound = (kind: string) =>
  query
    .select({ id: revisions.id })
    .from(search)
    .crossJoin(revisions)
    .where(
      and(
        sql`${search} match ${sql.placeholder('search')}`,
        eq(revisions.seq, search.rowid),
        eq(unindexed(revisions.kind), kind),
      ),
    );

/** Returns the part of a search: none if the text is blank, one that matches nothing if it has no words. */
export function searchParts({ kind, table }: Kind<Entity>, text = ''): FilterPart[] {
  if (text.trim() === '') return [];
  const phrases = phrasesOf(text);
  if (phrases.length === 0) {
    const never = () => sql`false`;
    return [{ name: 'nothing', where: never, checked: never, values: {}, accessPaths: [] }];
  }
  const where = () => inArray(table.id, idsFound(kind));
  const values = { search: expressionOf(kind, phrases) };
  return [{ name: 'search', where, checked: where, values, namesIDs: true, accessPaths: [] }];
}
