import { and, count, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { sumOf } from '../../shared/numbers.ts';
import { missing } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import {
  extentOf,
  type Order,
  type Page,
  type PageRequest,
  pageOf,
  reading,
} from '../core/page.ts';
import type { Reads } from '../core/reads.ts';
import { fromRow } from '../entities/mapping.ts';
import { besideOf, rowOf } from '../entities/queries.ts';
import { columnOf, columnsOf, sortName } from '../sql/columns.ts';
import { qualified } from '../sql/expressions.ts';
import { remembered } from '../sql/rows.ts';
import { compile, type Filled, query } from '../sql/statement.ts';
import { labels } from '../sql/tables.ts';
import { type Arm, type Arms, armsTo, keptTotals, maxSelects } from './branches.ts';
import { type Filter, type Part, partOf, searched } from './filters.ts';

export const sortKeys = ['name', 'createdTime', 'lastModifiedTime'] as const;

// How a list is read, by an example: the gates of any of two tags, in one status, the newest first.
//
// - Each of the two filters is a part: its condition in the forms in which a query needs it. Its leads say by what it can
//   reach rows: the tags by the ids that the labels have, the status by an index of the gates. Its condition `checked` is
//   for rows that are reached by other means, and keeps SQLite from taking an index for it.
// - Each lead makes an arm, a select: one reaches the gates of the tags and checks their status, the other reaches those
//   in the status and checks their tags. Which filter has fewer gates is known only to the totals, as the query runs: it
//   is the `narrowest`, and the arm of the other looks for null. A lead by an index of what is not archived alone, as
//   that of teams, makes two arms where archived gates are listed too.
// - The plan is all of this, with the order. The query of a page is the union of the arms.

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

/** What of a list is asked for, sorted out. */
interface Asked {
  kind: Kind<Entity>;
  request: ListRequest;
  parts: Part[];
  sortKey: keyof typeof usual;
}

/** The same, with the selects that have its rows. */
type Plan = Asked & Arms;

/** The directions in which indexes are read, unless asked otherwise; ids rise in them. */
const usual = { id: 'asc', name: 'asc', createdTime: 'desc', lastModifiedTime: 'desc' } as const;

function askedOf(kind: Kind<Entity>, request: ListRequest): Asked {
  const { all = false, filters = [], search, sortKey = 'createdTime' } = request;
  const wanted = filters.filter((filter) => filter !== undefined);
  const parts = [...wanted.map((filter) => partOf(kind, filter, all)), ...searched(kind, search)];
  const isColumn = sortKey in getTableColumns(kind.table);
  return { kind, request, parts, sortKey: isColumn ? sortKey : 'id' };
}

/** Whether the rows of an arm come in the order of the labels that lead to them. */
const isLabelled = ({ sortKey }: Asked, { byLabel }: Arm) => byLabel && sortKey === 'createdTime';

/** The column by which a list goes. */
const keyColumn = (sortKey: Asked['sortKey']): string => (sortKey === 'name' ? sortName : sortKey);

/** The order of the rows of an arm; where several selects are joined, that of the first is the order of all. */
function orderOf(asked: Asked, arm?: Arm): Order {
  const { kind, request, sortKey } = asked;
  const order = request.sortOrder ?? usual[sortKey];
  const isText = sortKey === 'id' || sortKey === 'name';
  const table = arm && isLabelled(asked, arm) ? labels : kind.table;
  return {
    key: qualified(columnOf(table, keyColumn(sortKey))),
    keyFalls: order === 'desc',
    id: qualified(table.id),
    idFalls: order !== usual[sortKey],
    positions: { key: isText ? 'string' : 'number', id: 'string' },
  };
}

/** The columns that lists read, with that of the order; by a label, those of the order are the label's. */
function listedColumns({ kind, sortKey }: Asked, byLabel: boolean) {
  const { table, unlisted, beside } = kind;
  const key = keyColumn(sortKey);
  const { createdTime, id } = labels;
  const columns: Record<string, SQLiteColumn> = {
    ...columnsOf(table),
    [key]: columnOf(table, key),
    ...(byLabel && { createdTime, id }),
  };
  const listed = Object.entries(columns).filter(([name]) => !(name in unlisted));
  return { ...Object.fromEntries(listed), ...besideOf(beside) };
}

type Selecting = Pick<typeof query, 'select'>;

/** What the selects of a query begin with: the first one says which filter is the narrowest, for all. */
const selecting = ({ narrowest }: Plan, index: number): Selecting =>
  narrowest && index === 0 ? query.with(narrowest) : query;

/** Where the rows of an arm are read: what shares the key of a position apart from the rest, where there is room for it. */
function readingOf(plan: Plan, arm: Arm) {
  const { beyond, apart } = reading(orderOf(plan, arm), plan.request);
  const isRoom = plan.arms.length * apart.length <= maxSelects;
  return (isRoom ? apart : [beyond]).map((part) => ({ arm, part }));
}

/** The rows of an arm that are beyond where the page begins. */
function rowsOf(plan: Plan, { arm, part }: ReturnType<typeof readingOf>[number], index: number) {
  const { table } = plan.kind;
  const columns = listedColumns(plan, isLabelled(plan, arm));
  const select = selecting(plan, index).select(columns);
  const conditions = and(arm.where, part);
  if (!arm.byLabel) return select.from(table).where(conditions).$dynamic();
  return select.from(labels).innerJoin(table, eq(table.id, labels.id)).where(conditions).$dynamic();
}

/** How many rows an arm has; the labels alone know where nothing else is asked for. */
function countOf(plan: Plan, arm: Arm, index: number) {
  const { table } = plan.kind;
  const select = selecting(plan, index).select({ total: count().as('total') });
  if (!arm.byLabel) return select.from(table).where(arm.where).$dynamic();
  const labelled = select.from(labels).where(arm.where).$dynamic();
  return plan.parts.length > 1 ? labelled.innerJoin(table, eq(table.id, labels.id)) : labelled;
}

/** The query for the rows of a page, and one more. */
function rowsQuery(plan: Plan) {
  const { arms, request } = plan;
  const { orderBy } = reading(orderOf(plan, arms[0]), request);
  return arms
    .flatMap((arm) => readingOf(plan, arm))
    .map((select, index) => rowsOf(plan, select, index))
    .reduce((one, other) => one.unionAll(other))
    .orderBy(...orderBy)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
}

/** The query for how many entities are on all pages; its rows are to be added up. */
function totalQuery(plan: Plan) {
  const [part, ...others] = plan.parts;
  if (part?.total && plan.request.all && others.length === 0) return part.total;
  const kept = keptTotals(plan.kind, plan.request.all === true, plan.parts);
  const totals = kept.length > 0 ? kept : plan.arms.map((arm, index) => countOf(plan, arm, index));
  return totals.reduce((one, other) => one.unionAll(other));
}

interface Compiled {
  rows: Filled<object>;
  total: Filled<{ total: number }>;
}

const compiled = remembered<Compiled>();

/** The queries of a list: those with at most one filter are kept, others are too many to be. */
function queriesOf(asked: Asked): Compiled {
  const { kind, request, parts } = asked;
  const { sortKey, sortOrder, all = false, position } = request;
  const build = () => {
    const plan = { ...asked, ...armsTo(kind, all, parts) };
    return { rows: compile(rowsQuery(plan)), total: compile(totalQuery(plan)) };
  };
  if (parts.length > 1) return build();
  const shape = [kind.kind, sortKey, sortOrder, all, position?.side, parts[0]?.name];
  return compiled(shape.join(' '), build);
}

/** Reads a page of a list in one round trip, and how many there are in all. */
export async function list<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  request: ListRequest,
): Promise<Page<E>> {
  const { of } = request;
  const asked = askedOf(kind, request);
  const values = {
    ...Object.assign({}, ...asked.parts.map((part) => part.values)),
    ...reading(orderOf(asked), request).values,
    ...extentOf(request),
    now: Date.now(),
  };
  const queries = queriesOf(asked);
  const [rows, totals, parents] = await Promise.all([
    tx.read(queries.rows(values)),
    tx.read(queries.total(values)),
    of ? tx.read(rowOf(of.kind, of.id)) : [[{}]],
  ]);
  if (of && parents[0].length === 0) throw missing(of.kind.title, of.id);
  const total = sumOf(totals[0].map(({ total }) => total));
  const key = keyColumn(asked.sortKey);
  const placeOf = (row: object) => ({ key: Reflect.get(row, key), id: Reflect.get(row, 'id') });
  const page = pageOf(request, rows[0], total, placeOf);
  return { ...page, items: page.items.map((row) => fromRow(kind, row)) };
}
