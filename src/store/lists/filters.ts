import { and, eq, exists, gte, inArray, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import { phrasesOf } from '../derived/search_rows.ts';
import { isCounted } from '../derived/totals.ts';
import { columnOf } from '../sql/columns.ts';
import { allOf, anyOf, bound, matches, together, unindexed, valuesIn } from '../sql/expressions.ts';
import { search } from '../sql/search_table.ts';
import { type Condition, query } from '../sql/statement.ts';
import { labels, revisions } from '../sql/tables.ts';

/** What an entity must be to be listed: have one of some values in a column, or one in a range; carry a label; or more. */
export type Filter = ByColumn | ByEither | ByRange | ByLabel | Condition;

interface ByColumn {
  column: string;
  values: readonly unknown[];
}

/** One of two conditions on columns, of which no entity meets both. */
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

/** How a filter leads to the rows of a list: by an index of the table, by the labels in their order, or by ids. */
export interface Lead {
  by: 'index' | 'label' | 'ids';
  /** The column or label by whose values totals are kept. */
  property: string;
  /** Whether it has other than one value, which then come as a JSON array. */
  isMany: boolean;
  /** The condition, with the given values in place of its own. */
  having(given: SQL): SQL;
}

/** One filter of a list, in the forms in which a query needs it: SQL that is made where a query is built, for most once. */
export interface Part extends Omit<Condition, 'where'> {
  where(): SQL;
  /** The same condition, for rows that are reached by other means: no index is used for it. */
  checked(): SQL;
  /** What together leads to all rows that meet it, to each by one of them; none where no index and no label does. */
  leads: Lead[];
}

/** The placeholder of the values of a lead. */
export const given = ({ property }: Lead) => bound(property);

/** Whether something is what is given for a lead: one value, or an array of them. */
export const isGiven = (value: SQLWrapper, isMany: boolean, values: SQL): SQL =>
  isMany ? inArray(value, valuesIn(values)) : eq(value, values);

function columnPart(kind: Kind<Entity>, { column, values }: ByColumn): Part {
  const of = columnOf(kind.table, column);
  const isMany = values.length !== 1;
  const isYesNo = !isMany && typeof values[0] === 'boolean';
  const lead: Lead = {
    by: 'index',
    property: column,
    isMany,
    // Totals know a yes or no as text, and D1 would compare the number 1 with it as 1.0.
    having: (given) => isGiven(of, isMany, isYesNo ? together(eq(given, 'true')) : given),
  };
  const where = () => lead.having(given(lead));
  const value = isYesNo ? String(values[0]) : values[0];
  return {
    name: isMany ? `${column} of some` : column,
    where,
    checked: () => unindexed(where()),
    values: { [column]: isMany ? JSON.stringify(values) : value },
    leads: isCounted(kind, column) ? [lead] : [],
  };
}

function eitherPart(kind: Kind<Entity>, { either }: ByEither): Part {
  const [one, other] = [columnPart(kind, either[0]), columnPart(kind, either[1])];
  return {
    name: `${one.name} or ${other.name}`,
    where: () => anyOf(one.where(), other.where()),
    checked: () => anyOf(one.checked(), other.checked()),
    values: { ...one.values, ...other.values },
    leads: [...one.leads, ...other.leads],
  };
}

type Labels = Record<'kind' | 'label' | 'value', SQLiteColumn>;

function labelPart(kind: Kind<Entity>, { label, values }: ByLabel, all: boolean): Part {
  const { table, hides } = kind;
  const isMany = values.length !== 1;
  const isCarrying = (of: Labels, given: SQL) =>
    allOf(eq(of.kind, kind.kind), eq(of.label, label), isGiven(of.value, isMany, given));
  const idsOf = (given: SQL) =>
    query.select({ id: labels.id }).from(labels).where(isCarrying(labels, given));
  const lead: Lead = {
    by: isMany ? 'ids' : 'label',
    property: label,
    isMany,
    having: (given) => (isMany ? inArray(table.id, idsOf(given)) : isCarrying(labels, given)),
  };
  const checked = () => {
    const own = alias(labels, 'own');
    const ofRow = and(
      isCarrying(own, given(lead)),
      inArray(own.hidden, hides && all ? [false, true] : [false]),
      eq(own.createdTime, table.createdTime),
      eq(own.id, table.id),
    );
    return exists(query.select({ id: own.id }).from(own).where(ofRow));
  };
  return {
    name: isMany ? `${label} of some` : label,
    where: checked,
    checked,
    values: { [label]: isMany ? JSON.stringify(values) : values[0] },
    leads: [lead],
  };
}

function rangePart({ table }: Kind<Entity>, { column, since, before }: ByRange): Part {
  const of = columnOf(table, column);
  const [from, to] = [`${column}Since`, `${column}Before`];
  const where = () =>
    allOf(
      since === undefined ? undefined : gte(of, sql.placeholder(from)),
      before === undefined ? undefined : lt(of, sql.placeholder(to)),
    );
  const name = `${column} since ${since !== undefined} before ${before !== undefined}`;
  return { name, where, checked: where, values: { [from]: since, [to]: before }, leads: [] };
}

/** A filter in the forms in which a query needs it; `all` where what the kind hides is listed too. */
export function partOf(kind: Kind<Entity>, filter: Filter, all: boolean): Part {
  if ('where' in filter) {
    const where = () => filter.where;
    return { ...filter, where, checked: where, leads: [] };
  }
  if ('either' in filter) return eitherPart(kind, filter);
  if ('label' in filter) return labelPart(kind, filter, all);
  if ('values' in filter) return columnPart(kind, filter);
  return rangePart(kind, filter);
}

/** The phrases of a search as an FTS5 expression: each quoted, so that it is no syntax, its last word as a beginning. */
const expressionOf = (kind: string, phrases: string[]) =>
  `kind : "${kind}" AND {id name description tags} : (${phrases.map((phrase) => `"${phrase}"*`).join(' AND ')})`;

/** The ids of what has the words of a search; D1 reads a cross join in the order in which it is written. */
const idsFound = (kind: string) =>
  query
    .select({ id: revisions.id })
    .from(search)
    .crossJoin(revisions)
    .where(
      and(
        matches(search, sql.placeholder('search')),
        eq(revisions.seq, search.rowid),
        eq(unindexed(revisions.kind), kind),
      ),
    );

/** What is searched for, as a part that leads to the rows by their ids. */
export function searched({ kind, table }: Kind<Entity>, text = ''): Part[] {
  if (text.trim() === '') return [];
  const phrases = phrasesOf(text);
  if (phrases.length === 0)
    return [{ name: 'nothing', where: anyOf, checked: anyOf, values: {}, leads: [] }];
  const where = () => inArray(table.id, idsFound(kind));
  const values = { search: expressionOf(kind, phrases) };
  return [{ name: 'search', where, checked: where, values, namesIDs: true, leads: [] }];
}
