import { inArray, type SQLWrapper, sql } from 'drizzle-orm';
import * as z from 'zod';
import { flag } from '../../base/fields.ts';
import { valuesIn } from '../store/sql/expressions.ts';
import type { SQLCondition } from '../store/sql/statement.ts';
import type { OwnFilters } from './query.ts';

/** `includeArchived` of a list that includes archived entities by default. */
export const archivedToo = flag;

const isUnarchived = (status: SQLWrapper) => sql`${status} collate nocase <> 'archived'`;

const unarchived: SQLCondition = {
  name: 'unarchived',
  where: isUnarchived(sql.identifier('status')),
  values: {},
  counted: { property: 'status', are: isUnarchived },
};

export const unlessArchived = ({ includeArchived }: { includeArchived?: boolean | undefined }) =>
  includeArchived === false ? unarchived : undefined;

interface StatusQuery {
  status?: string[] | undefined;
  isEnabled?: boolean | undefined;
  includeArchived?: boolean | undefined;
}

export const statusQuery = z.object({
  isEnabled: flag,
  includeArchived: flag,
});

const inStatus = (statuses: string[]): SQLCondition => ({
  name: 'in last status',
  where: inArray(sql`coalesce(archivedFrom, status)`, valuesIn(sql.placeholder('lastStatuses'))),
  values: { lastStatuses: JSON.stringify(statuses) },
});

/** Returns the filters for `isEnabled` and `includeArchived`; `on` are the statuses that count as enabled. */
export function statusFilters(query: StatusQuery, on: string[]): OwnFilters {
  const { status, isEnabled, includeArchived } = query;
  if (isEnabled === undefined) return { all: includeArchived || status !== undefined };
  const values = isEnabled ? on : ['Disabled'];
  if (status !== undefined) return { conditions: [inStatus(values)], all: true };
  if (!includeArchived) return { columns: { status: values } };
  const either = [
    { column: 'status', values },
    { column: 'archivedFrom', values },
  ] as const;
  return { either, all: true };
}
