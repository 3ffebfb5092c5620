import { getTableColumns } from 'drizzle-orm';
import * as z from 'zod';
import { pageQuery, requestedPage } from '../http/envelope.ts';
import { Problem } from '../problem.ts';
import { day, endOfDay, startOfDay } from '../shared/days.ts';
import { repeatable, wordFilter } from '../shared/fields.ts';
import type { Filter } from '../store/lists/filters.ts';
import { type ListRequest, sortKeys } from '../store/lists/list.ts';
import type { EntityTable } from '../store/sql/columns.ts';
import type { Condition } from '../store/sql/statement.ts';

/** The query of a list of entities: paging, search, order, and the filters that all kinds have. */
export const listQuery = pageQuery.extend({
  tags: repeatable(z.string()).meta({ description: 'Entities that carry any of these tags.' }),
  targetAppID: wordFilter,
  creatorName: z.string().optional(),
  creatorID: z.string().optional(),
  createdStartDate: day.optional().meta({ description: 'First day (UTC) of creation.' }),
  createdEndDate: day.optional().meta({ description: 'Last day (UTC) of creation, included.' }),
  search: z.string().max(200).optional().meta({
    description:
      'Starts of words of the name, id, description or tags. Of Chinese, Japanese, Korean and similar texts any part is found, and so is any emoji.',
  }),
  sortKey: z
    .enum(sortKeys)
    .optional()
    .meta({ description: 'What the list goes by; createdTime where absent.' }),
  sortOrder: z
    .enum(['asc', 'desc'])
    .optional()
    .meta({ description: 'By name rising where absent, by times falling.' }),
});

/** What the query of any list may say. */
export type ListQuery = z.output<typeof pageQuery> & Partial<z.output<typeof listQuery>>;

/** The filters that only one kind has, beside those columns of it that its query names. */
export interface OwnFilters {
  /** Columns, with the value or values that are wanted. */
  columns?: Record<string, unknown>;
  /** Labels, with the value that is wanted. */
  labels?: Record<string, string | undefined>;
  /** Two columns, one of which is to have one of its values. */
  either?: Extract<Filter, { either: unknown }>['either'] | undefined;
  conditions?: (Condition | undefined)[];
  /** Whether what the kind hides is listed too. */
  all?: boolean | undefined;
}

const columnFilter = (column: string, value: unknown): Filter | undefined =>
  value === undefined ? undefined : { column, values: [value].flat() };

const labelFilter = (label: string, values: string[] | string | undefined): Filter | undefined =>
  values === undefined ? undefined : { label, values: [values].flat() };

/** What a query says of columns of a table, beyond what any list is asked for. */
const columnsNamed = (table: EntityTable, query: object) =>
  Object.entries(query).filter(
    ([name]) => name in getTableColumns(table) && !(name in listQuery.shape),
  );

/** What a list of a table is asked for, from its query; 400 where the last day of creation comes before the first. */
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
