import { getTableColumns } from 'drizzle-orm';
import * as z from 'zod';
import { repeatable, wordFilter } from '../../base/fields.ts';
import { Problem } from '../../base/problem.ts';
import { endOfDay, startOfDay } from '../../base/time.ts';
import { day } from '../../base/time_fields.ts';
import { pageQuery, requestedPage } from '../http/envelope.ts';
import type { Filter } from '../store/lists/filters.ts';
import { type ListRequest, sortKeys } from '../store/lists/list.ts';
import type { EntityTable } from '../store/sql/columns.ts';
import type { SQLCondition } from '../store/sql/statement.ts';

export const listQuery = pageQuery.extend({
  tags: repeatable(z.string()),
  targetAppID: wordFilter,
  creatorName: z.string().optional(),
  creatorID: z.string().optional(),
  createdStartDate: day.optional(),
  createdEndDate: day.optional(),
  search: z.string().max(200).optional(),
  sortKey: z.enum(sortKeys).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional(),
});

export type ListQuery = z.output<typeof pageQuery> & Partial<z.output<typeof listQuery>>;

export interface OwnFilters {
  columns?: Record<string, unknown>;
  labels?: Record<string, string | undefined>;
  /** Two columns; one of them must have a requested value. */
  either?: Extract<Filter, { either: unknown }>['either'] | undefined;
  conditions?: (SQLCondition | undefined)[];
  all?: boolean | undefined;
}

const columnFilter = (column: string, value: unknown): Filter | undefined =>
  value === undefined ? undefined : { column, values: [value].flat() };

const labelFilter = (label: string, values: string[] | string | undefined): Filter | undefined =>
  values === undefined ? undefined : { label, values: [values].flat() };

const columnsNamed = (table: EntityTable, query: object) =>
  Object.entries(query).filter(
    ([name]) => name in getTableColumns(table) && !(name in listQuery.shape),
  );

/** Builds a list request from a query. @throws Problem 400 if the last day of creation is before the first */
export function listRequest(table: EntityTable, query: ListQuery, own: OwnFilters): ListRequest {
  const { tags, targetAppID, creatorName, creatorID, createdStartDate, createdEndDate } = query;
  const { columns = {}, labels = {}, either, conditions = [], all } = own;
  const since = createdStartDate === undefined ? undefined : startOfDay(createdStartDate);
  const before = createdEndDate === undefined ? undefined : endOfDay(createdEndDate);
  if (since !== undefined && before !== undefined && before <= since)
    throw Problem.property('createdEndDate', 'must not be before createdStartDate');
  return {
    ...requestedPage(query),
    search: query.search,
    sortKey: query.sortKey,
    sortOrder: query.sortOrder,
    all,
    filters: [
      labelFilter('tags', tags),
      labelFilter('targetApps', targetAppID),
      ...Object.entries(labels).map(([label, value]) => labelFilter(label, value)),
      columnFilter('creatorName', creatorName),
      columnFilter('creatorID', creatorID),
      ...[...columnsNamed(table, query), ...Object.entries(columns)].map(([column, value]) =>
        columnFilter(column, value),
      ),
      (since ?? before) !== undefined ? { column: 'createdTime', since, before } : undefined,
      either && { either },
      ...conditions,
    ],
  };
}
