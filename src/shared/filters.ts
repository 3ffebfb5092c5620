import { type Column, eq, gte, inArray, lt, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { pageQuery } from '../http/envelope.ts';
import type { Collection } from '../store/collection.ts';
import type { Entity } from '../store/columns.ts';
import { refersTo } from '../store/references.ts';
import { day, endOfDay, repeatable, startOfDay } from './fields.ts';

/** The query of a list of entities: paging, and the filters that all kinds have. */
export const listQuery = pageQuery.extend({
  tags: repeatable(z.string()).meta({ description: 'Entities that carry any of these tags.' }),
  targetAppID: z.string().optional(),
  creatorName: z.string().optional(),
  creatorID: z.string().optional(),
  createdStartDate: day.optional().meta({ description: 'First day (UTC) of creation.' }),
  createdEndDate: day.optional().meta({ description: 'Last day (UTC) of creation, included.' }),
});

/** A filter on a column; undefined where nothing is asked for. */
export function match(column: Column, value: string | string[] | undefined): SQL | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? inArray(column, value) : eq(column, value);
}

/** The filters that all kinds of entity have, from a query. */
export function commonFilters<E extends Entity>(
  collection: Collection<E>,
  query: z.infer<typeof listQuery>,
): (SQL | undefined)[] {
  const { table } = collection;
  const { tags, targetAppID, creatorName, creatorID, createdStartDate, createdEndDate } = query;
  return [
    tags && refersTo(collection, 'tag', tags),
    targetAppID === undefined ? undefined : refersTo(collection, 'target_app', [targetAppID]),
    match(table.creatorName, creatorName),
    match(table.creatorID, creatorID),
    createdStartDate ? gte(table.createdTime, startOfDay(createdStartDate)) : undefined,
    createdEndDate ? lt(table.createdTime, endOfDay(createdEndDate)) : undefined,
  ];
}
