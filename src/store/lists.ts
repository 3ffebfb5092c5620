import { and, count, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import { Problem } from '../problem.ts';
import type { Entity } from './columns.ts';
import type { Kind } from './kind.ts';
import { type Order, type Page, type PageRequest, pageOf, reading } from './pages.ts';
import type { Condition, Reads } from './reads.ts';
import { rowOf } from './reads.ts';
import { remembered } from './rows.ts';
import { compile, query, type Statement } from './statement.ts';
import { fromRow } from './stored.ts';
import { labels, revisions } from './tables.ts';
import { isCounted, totalOf } from './totals.ts';

export const sortKeys = ['name', 'createdTime', 'lastModifiedTime'] as const;

/** What a list is of: a page, of the entities that pass all filters, in an order. */
export interface ListRequest extends PageRequest {
  sortKey?: (typeof sortKeys)[number] | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  filters?: (Filter | undefined)[];
  /** Words that the entities have, each as the beginning of one. */
  search?: string | undefined;
  /** Whether what the kind hides is listed too. */
  all?: boolean | undefined;
  /** An entity that must exist, or the list is a 404. */
  of?: { kind: Pick<Kind<Entity>, 'title' | 'table'>; id: string };
}

/** What an entity must be to be listed: have one of some values in a column, or one in a range; carry a label; or more. */
export type Filter =
  | { column: string; values: readonly unknown[] }
  | { column: string; since?: number | undefined; before?: number | undefined }
  | { label: string; values: readonly string[] }
  | Condition;

export const missing = (title: string, id: string) =>
  new Problem('not_found', `There is no ${title.toLowerCase()} with the id ${id}.`);

/** One filter of a list, in the forms in which a query needs it. */
interface Part extends Condition {
  /** The property or label by whose one value a total is kept. */
  counted?: string;
  isLabel?: boolean;
  /** The same condition, for which no index is used. */
  checked: SQL;
}

const among = (name: string) => sql`(select value from json_each(${sql.placeholder(name)}))`;

function columnPart(kind: Kind<Entity>, column: string, values: readonly unknown[]): Part {
  const of = sql.raw(`${getTableName(kind.table)}.${column}`);
  if (values.length !== 1) {
    const where = sql`${of} in ${among(column)}`;
    const checked = sql`+${where}`;
    return { name: `${column}s`, where, checked, values: { [column]: JSON.stringify(values) } };
  }
  const [value] = values;
  const isYesNo = typeof value === 'boolean';
  const wanted = sql.placeholder(column);
  // Totals know a yes or no as text, and D1 would compare the number 1 with it as 1.0.
  const where = isYesNo ? sql`${of} = (${wanted} = 'true')` : sql`${of} = ${wanted}`;
  const given = isYesNo ? String(value) : value;
  const part = { name: column, where, checked: sql`+${where}`, values: { [column]: given } };
  return isCounted(kind, column) ? { ...part, counted: column } : part;
}

function labelPart({ kind, table }: Kind<Entity>, label: string, values: readonly string[]): Part {
  const value =
    values.length === 1 ? sql`value = ${sql.placeholder(label)}` : sql`value in ${among(label)}`;
  const where = sql`${table.id} in (select id from ${labels} where kind = ${kind} and label = ${label} and ${value})`;
  const part = { where, checked: sql`+${where}`, isLabel: true };
  return values.length === 1
    ? { ...part, name: label, counted: label, values: { [label]: values[0] } }
    : { ...part, name: `${label} of some`, values: { [label]: JSON.stringify(values) } };
}

function rangePart(
  { table }: Kind<Entity>,
  {
    column,
    since,
    before,
  }: { column: string; since?: number | undefined; before?: number | undefined },
): Part {
  const of = sql.raw(`${getTableName(table)}.${column}`);
  const [from, to] = [`${column}Since`, `${column}Before`];
  const bounds = [
    since === undefined ? undefined : sql`${of} >= ${sql.placeholder(from)}`,
    before === undefined ? undefined : sql`${of} < ${sql.placeholder(to)}`,
  ];
  const where = and(...bounds) ?? sql`true`;
  const name = bounds.map((bound) => bound !== undefined).join();
  return {
    name: `${column} ${name}`,
    where,
    checked: where,
    values: { [from]: since, [to]: before },
  };
}

function partOf(kind: Kind<Entity>, filter: Filter): Part {
  if ('where' in filter) return { ...filter, checked: filter.where };
  if ('label' in filter) return labelPart(kind, filter.label, filter.values);
  if ('values' in filter) return columnPart(kind, filter.column, filter.values);
  return rangePart(kind, filter);
}

/** The words of a search as an FTS5 expression: each quoted, so that it is no syntax, and as a beginning. */
const expressionOf = (kind: string, words: string[]) =>
  `kind : "${kind}" AND {id name description tags} : (${words.map((word) => `"${word}"*`).join(' AND ')})`;

/** What is searched for, as a condition; none where nothing is. */
function searched({ kind, table }: Kind<Entity>, text = ''): Condition[] {
  if (text.trim() === '') return [];
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  if (words.length === 0) return [{ name: 'nothing', where: sql`false`, values: {} }];
  // FTS5 is a virtual table, of which Drizzle knows nothing.
  const where = sql`${table.id} in (select id from ${revisions} where kind = ${kind}
    and seq in (select rowid from search where search match ${sql.placeholder('search')}))`;
  return [{ name: 'search', where, values: { search: expressionOf(kind, words) } }];
}

const usual = { id: 'asc', name: 'asc', createdTime: 'desc', lastModifiedTime: 'desc' } as const;

/** The order of a list, as an index has it: ids rise in its usual direction. */
function orderOf(
  table: string,
  sortKey: keyof typeof usual | 'id',
  { sortOrder }: ListRequest,
): Order {
  const isNamed = sortKey === 'name';
  const order = sortOrder ?? usual[sortKey];
  return {
    key: sql.raw(`${table}${sortKey}${isNamed ? ' collate nocase' : ''}`),
    keyFalls: order === 'desc',
    id: sql.raw(`${table}id`),
    idFalls: order !== usual[sortKey],
  };
}

/** The columns that lists read; by a label, those of the order are the label's. */
function listedColumns({ table, unlisted }: Kind<Entity>, byLabel: boolean) {
  const { createdTime, id } = labels;
  const columns: Record<string, SQLiteColumn> = {
    ...getTableColumns(table),
    ...(byLabel && { createdTime, id }),
  };
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !(name in unlisted)));
}

/** The conditions of visibility, one for each part of the table that has indexes of its own. */
function visibilities({ hides }: Kind<Entity>, all: boolean, parts: Part[]): (SQL | undefined)[] {
  if (!hides) return [undefined];
  if (!all) return [sql.raw(hides.visible)];
  if (parts.some(({ name }) => name === 'status')) return [undefined];
  return [sql.raw(hides.visible), sql.raw(hides.hidden)];
}

/** One way to the rows of a list: by a label, whose rows are in the order of the newest, or through the table. */
interface Way {
  label: string | undefined;
  where: SQL | undefined;
}

/** How many selects D1 takes in one; each way is one for each visibility. */
const maxSelects = 5;

/** The filters that may lead to the rows: those that leave fewest as a rule come first, should there be too many. */
function leadersOf(kind: Kind<Entity>, all: boolean, parts: Part[]): Part[] {
  const usually = ({ counted, isLabel }: Part) =>
    isLabel ? 0 : -kind.totals.findIndex((group) => group.some((name) => name === counted));
  return parts
    .filter(({ counted }) => counted !== undefined)
    .toSorted((one, other) => usually(one) - usually(other))
    .slice(0, Math.floor(maxSelects / visibilities(kind, all, parts).length));
}

/**
 * The ways to the rows of a list, of which just one yields any: each of several filters leads where it has the fewest
 * rows, which the totals know, and the others are checked on what it leads to.
 */
function waysOf(kind: Kind<Entity>, all: boolean, parts: Part[]): Way[] {
  const total = ({ counted }: Part) => sql`(${totalOf(kind, counted, all)})`;
  const leading = leadersOf(kind, all, parts);
  if (leading.length === 0)
    return [{ label: undefined, where: and(...parts.map(({ where }) => where)) }];
  return leading.map((leader, place) => {
    const others = parts.filter((part) => part !== leader).map(({ checked }) => checked);
    const fewest = leading.flatMap((rival, other) => {
      if (other === place) return [];
      return sql`${total(leader)} ${sql.raw(other < place ? '<' : '<=')} ${total(rival)}`;
    });
    const label = leader.isLabel ? leader.counted : undefined;
    return { label, where: and(...fewest, label ? undefined : leader.where, ...others) };
  });
}

/** What of a list is asked for, sorted out. */
interface Plan {
  kind: Kind<Entity>;
  request: ListRequest;
  parts: Part[];
  /** Each reads the rows that have one visibility, in one way. */
  arms: Way[];
}

function planOf(kind: Kind<Entity>, request: ListRequest): Plan {
  const { all = false, filters = [], search } = request;
  const given = filters.filter((filter) => filter !== undefined);
  const parts = [...given, ...searched(kind, search)].map((filter) => partOf(kind, filter));
  const arms = waysOf(kind, all, parts).flatMap(({ label, where }) => {
    const visible = label === undefined ? visibilities(kind, all, parts) : hiddenness(kind, all);
    return visible.map((condition) => ({ label, where: and(condition, where) }));
  });
  return { kind, request, parts, arms };
}

/** The same for the labels. */
const hiddenness = ({ hides }: Kind<Entity>, all: boolean): SQL[] =>
  (hides && all ? [false, true] : [false]).map((hidden) => eq(labels.hidden, hidden));

/** The order of a plan; columns are named with their table, or without where several selects are joined. */
function orderIn({ kind, request }: Plan, table: string): Order {
  const { sortKey = 'createdTime' } = request;
  return orderOf(table, sortKey in getTableColumns(kind.table) ? sortKey : 'id', request);
}

/** Where the rows of an arm are ordered. */
const tableOf = ({ kind, request }: Plan, { label }: Way) =>
  label !== undefined && (request.sortKey ?? 'createdTime') === 'createdTime'
    ? 'labels.'
    : `${getTableName(kind.table)}.`;

/** What the rows of an arm meet. */
const conditionsOf = ({ kind }: Plan, { label, where }: Way, beyond?: SQL) =>
  and(
    ...(label === undefined
      ? []
      : [
          eq(labels.kind, kind.kind),
          eq(labels.label, label),
          eq(labels.value, sql.placeholder(label)),
        ]),
    where,
    beyond,
  );

/** The rows of an arm that are on the page, or beyond it. */
function rowsOf(plan: Plan, arm: Way) {
  const { kind, request } = plan;
  const { where } = reading(orderIn(plan, tableOf(plan, arm)), request);
  const conditions = conditionsOf(plan, arm, where);
  const select = query.select(listedColumns(kind, tableOf(plan, arm) === 'labels.'));
  if (arm.label === undefined) return select.from(kind.table).where(conditions).$dynamic();
  return select
    .from(labels)
    .innerJoin(kind.table, eq(kind.table.id, labels.id))
    .where(conditions)
    .$dynamic();
}

/** How many rows an arm has. */
function countOf(plan: Plan, arm: Way) {
  const select = query.select({ total: count().as('total') });
  const conditions = conditionsOf(plan, arm);
  if (arm.label === undefined) return select.from(plan.kind.table).where(conditions).$dynamic();
  return select
    .from(labels)
    .innerJoin(plan.kind.table, eq(plan.kind.table.id, labels.id))
    .where(conditions)
    .$dynamic();
}

/** The query for the rows of a page, and one more. */
function rowsQuery(plan: Plan) {
  const [first, second, ...others] = plan.arms.map((arm) => rowsOf(plan, arm));
  const [arm] = plan.arms;
  if (!first || !arm) throw new Error('a list has at least one way to its rows');
  const { orderBy } = reading(orderIn(plan, tableOf(plan, arm)), plan.request);
  return (second ? unionAll(first, second, ...others) : first)
    .orderBy(...orderBy)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
}

/** The query for how many entities are on all pages; its rows are to be added up. */
function totalQuery(plan: Plan) {
  const { kind, request, parts } = plan;
  const [only] = parts;
  if (parts.length === 0 || (parts.length === 1 && only?.counted))
    return totalOf(kind, only?.counted, request.all ?? false);
  const [first, second, ...others] = plan.arms.map((arm) => countOf(plan, arm));
  if (!first) throw new Error('a list has at least one way to its rows');
  return second ? unionAll(first, second, ...others) : first;
}

type Filled<Row> = (values: Record<string, unknown>) => Statement<Row>;

interface Compiled {
  rows: Filled<object>;
  total: Filled<{ total: number }>;
}

const compiled = remembered<Compiled>();

/** The queries of a list: those with at most one filter are kept, others are too many to be. */
function queriesOf(plan: Plan): Compiled {
  const { kind, request, parts } = plan;
  const build = () => ({ rows: compile(rowsQuery(plan)), total: compile(totalQuery(plan)) });
  if (parts.length > 1) return build();
  const { sortKey, sortOrder, all, position } = request;
  const shape = [kind.kind, sortKey, sortOrder, all, position?.side, parts[0]?.name];
  return compiled(shape.join(' '), build);
}

/** Reads a page of a list in one round trip, and how many there are in all. */
export async function list<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  request: ListRequest,
): Promise<Page<E>> {
  const { page, limit, position, of } = request;
  const plan = planOf(kind, request);
  const queries = queriesOf(plan);
  const values = {
    ...Object.assign({}, ...plan.parts.map((part) => part.values)),
    ...reading(orderIn(plan, ''), request).values,
    limit: limit + 1,
    offset: position ? 0 : (page - 1) * limit,
  };
  const [rows, totals, parents] = await Promise.all([
    tx.read(queries.rows(values)),
    tx.read(queries.total(values)),
    of ? tx.read(rowOf(of.kind, of.id)) : [[{}]],
  ]);
  if (of && parents[0].length === 0) throw missing(of.kind.title, of.id);
  const total = totals[0].reduce((sum, row) => sum + row.total, 0);
  const { sortKey = 'createdTime' } = request;
  const items = rows[0].map((row) => fromRow(kind, row));
  const keyOf = (item: E) => Object(item)[sortKey] ?? item.id;
  return pageOf(request, items, total, (item) => ({ key: keyOf(item), id: item.id }));
}
