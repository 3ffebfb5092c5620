import { and, count, eq, getTableColumns, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { sumOf } from '../../../base/numbers.ts';
import { memberOf } from '../../../base/value_types.ts';
import { missing } from '../core/define_kind.ts';
import type { Entity } from '../core/entity.ts';
import type { Kind } from '../core/kind.ts';
import {
  limitAndOffset,
  type Order,
  type Page,
  type PageRequest,
  pageOf,
  reading,
} from '../core/page.ts';
import type { Reads } from '../core/reads.ts';
import { fromRow } from '../entities/mapping.ts';
import { extraColumnOf, rowOfEntity } from '../entities/queries.ts';
import { columnOf, columnsOf, sortName } from '../sql/columns.ts';
import { qualified } from '../sql/expressions.ts';
import { remembered } from '../sql/rows.ts';
import { compileQuery, type Filled, query } from '../sql/statement.ts';
import { labels } from '../sql/tables.ts';
import { type Branch, type Branches, branchesTo, keptTotals, maxSelects } from './branches.ts';
import { type Filter, type FilterPart, filterPart, searchParts } from './filters.ts';

export const sortKeys = ['name', 'createdTime', 'lastModifiedTime'] as const;

// An example: the gates of any of two tags in one status. Each filter is a part: its condition in the forms that
// a query needs. The access paths are `labels` for the tags and an index for the status. Each makes a branch, which
// checks the other filters without an index. Totals decide at run time which branch returns the rows; the other
// searches for null.

export interface ListRequest extends PageRequest {
  sortKey?: (typeof sortKeys)[number] | undefined;
  sortOrder?: 'asc' | 'desc' | undefined;
  filters?: (Filter | undefined)[];
  /** Each word must be the start of a word of the entity. */
  search?: string | undefined;
  all?: boolean | undefined;
  /** An entity that must exist, or the list is a 404. */
  of?: { kind: Pick<Kind<Entity>, 'title' | 'table'>; id: string };
}

interface Normalized {
  kind: Kind<Entity>;
  request: ListRequest;
  parts: FilterPart[];
  sortKey: keyof typeof usual;
}

type ListPlan = Normalized & Branches;

const usual = { id: 'asc', name: 'asc', createdTime: 'desc', lastModifiedTime: 'desc' } as const;

function normalize(kind: Kind<Entity>, request: ListRequest): Normalized {
  const { all = false, filters = [], search, sortKey = 'createdTime' } = request;
  const wanted = filters.filter((filter) => filter !== undefined);
  const parts = [
    ...wanted.map((filter) => filterPart(kind, filter, all)),
    ...searchParts(kind, search),
  ];
  const isColumn = sortKey in getTableColumns(kind.table);
  return { kind, request, parts, sortKey: isColumn ? sortKey : 'id' };
}

const isLabelled = ({ sortKey }: Normalized, { byLabel }: Branch) =>
  byLabel && sortKey === 'createdTime';

const keyColumn = (sortKey: Normalized['sortKey']): string =>
  sortKey === 'name' ? sortName : sortKey;

/** In a union, the order of the first select applies to all. */
function orderOf(normalized: Normalized, branch?: Branch): Order {
  const { kind, request, sortKey } = normalized;
  const order = request.sortOrder ?? usual[sortKey];
  const isText = sortKey === 'id' || sortKey === 'name';
  const table = branch && isLabelled(normalized, branch) ? labels : kind.table;
  return {
    key: qualified(columnOf(table, keyColumn(sortKey))),
    keyFalls: order === 'desc',
    id: qualified(table.id),
    idFalls: order !== usual[sortKey],
    positions: { key: isText ? 'string' : 'number', id: 'string' },
  };
}

/** The columns of a list, with the sort key. A branch by label takes the key from the label. */
function listedColumns({ kind, sortKey }: Normalized, byLabel: boolean) {
  const {
    table,
    list: { omitted, extraColumn },
  } = kind;
  const key = keyColumn(sortKey);
  const { createdTime, id } = labels;
  const columns: Record<string, SQLiteColumn> = {
    ...columnsOf(table),
    [key]: columnOf(table, key),
    ...(byLabel && { createdTime, id }),
  };
  const listed = Object.entries(columns).filter(([name]) => !(name in omitted));
  return { ...Object.fromEntries(listed), ...extraColumnOf(extraColumn) };
}

type Selecting = Pick<typeof query, 'select'>;

/** Only the first select of a union chooses the access path, for all. */
const selecting = ({ narrowest }: ListPlan, index: number): Selecting =>
  narrowest && index === 0 ? query.with(narrowest) : query;

/** Splits at the key of the position, if the union has room for both parts. */
function branchReadings(plan: ListPlan, branch: Branch) {
  const { beyond, apart } = reading(orderOf(plan, branch), plan.request);
  const isRoom = plan.branches.length * apart.length <= maxSelects;
  return (isRoom ? apart : [beyond]).map((part) => ({ branch, part }));
}

function listRows(
  plan: ListPlan,
  { branch, part }: ReturnType<typeof branchReadings>[number],
  index: number,
) {
  const { table } = plan.kind;
  const columns = listedColumns(plan, isLabelled(plan, branch));
  const select = selecting(plan, index).select(columns);
  const conditions = and(branch.where, part);
  if (!branch.byLabel) return select.from(table).where(conditions).$dynamic();
  return select.from(labels).innerJoin(table, eq(table.id, labels.id)).where(conditions).$dynamic();
}

/** Counts the rows of a branch. Without other filters, the labels are enough. */
function branchCount(plan: ListPlan, branch: Branch, index: number) {
  const { table } = plan.kind;
  const select = selecting(plan, index).select({ total: count().as('total') });
  if (!branch.byLabel) return select.from(table).where(branch.where).$dynamic();
  const labelled = select.from(labels).where(branch.where).$dynamic();
  return plan.parts.length > 1 ? labelled.innerJoin(table, eq(table.id, labels.id)) : labelled;
}

function rowsQuery(plan: ListPlan) {
  const { branches, request } = plan;
  const { orderBy } = reading(orderOf(plan, branches[0]), request);
  return branches
    .flatMap((branch) => branchReadings(plan, branch))
    .map((select, index) => listRows(plan, select, index))
    .reduce((one, other) => one.unionAll(other))
    .orderBy(...orderBy)
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'));
}

function listTotalQuery(plan: ListPlan) {
  const [part, ...others] = plan.parts;
  if (part?.total && plan.request.all && others.length === 0) return part.total;
  const kept = keptTotals(plan.kind, plan.request.all === true, plan.parts);
  const totals =
    kept.length > 0 ? kept : plan.branches.map((branch, index) => branchCount(plan, branch, index));
  return totals.reduce((one, other) => one.unionAll(other));
}

interface ListQueries {
  rows: Filled<object>;
  total: Filled<{ total: number }>;
}

const compiled = remembered<ListQueries>();

/** Returns the queries of a list. Only queries with at most one filter are kept: combinations are too many. */
function listQueries(normalized: Normalized): ListQueries {
  const { kind, request, parts } = normalized;
  const { sortKey, sortOrder, all = false, position } = request;
  const build = () => {
    const plan = { ...normalized, ...branchesTo(kind, all, parts) };
    return { rows: compileQuery(rowsQuery(plan)), total: compileQuery(listTotalQuery(plan)) };
  };
  if (parts.length > 1) return build();
  const shape = [kind.kind, sortKey, sortOrder, all, position?.side, parts[0]?.name];
  return compiled(shape.join(' '), build);
}

/** Reads a page of a list and its total, in one round trip. */
export async function readList<E extends Entity>(
  tx: Reads,
  kind: Kind<E>,
  request: ListRequest,
): Promise<Page<E>> {
  const { of } = request;
  const normalized = normalize(kind, request);
  const values = {
    ...Object.assign({}, ...normalized.parts.map((part) => part.values)),
    ...reading(orderOf(normalized), request).values,
    ...limitAndOffset(request),
    now: Date.now(),
  };
  const queries = listQueries(normalized);
  const [rows, totals, parents] = await Promise.all([
    tx.read(queries.rows(values)),
    tx.read(queries.total(values)),
    of ? tx.read(rowOfEntity(of.kind, of.id)) : [[{}]],
  ]);
  if (of && parents[0].length === 0) throw missing(of.kind.title, of.id);
  const total = sumOf(totals[0].map(({ total }) => total));
  const key = keyColumn(normalized.sortKey);
  const readValue = (row: object, column: string) => {
    const value = memberOf(row, column);
    return typeof value === 'number' ? value : String(value);
  };
  const placeOf = (row: object) => ({ key: readValue(row, key), id: String(memberOf(row, 'id')) });
  const page = pageOf(request, rows[0], total, placeOf);
  return { ...page, items: page.items.map((row) => fromRow(kind, row)) };
}
