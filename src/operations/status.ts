import { inArray, ne, type SQLWrapper, sql } from 'drizzle-orm';
import * as z from 'zod';
import { flag } from '../shared/fields.ts';
import { noCase, orElse, valuesIn } from '../store/sql/expressions.ts';
import type { Condition } from '../store/sql/statement.ts';
import type { OwnFilters } from './query.ts';

/** `includeArchived` of a list that has the archived ones, unless they are not wanted. */
export const archivedToo = flag.meta({
  description: 'Whether archived ones are shown; false leaves archived ones out.',
});

const isUnarchived = (status: SQLWrapper) => ne(noCase(status), 'archived');

const unarchived: Condition = {
  name: 'unarchived',
  where: isUnarchived(sql.identifier('status')),
  values: {},
  counted: { property: 'status', are: isUnarchived },
};

/** The condition that `includeArchived` of such a list sets. */
export const unlessArchived = ({ includeArchived }: { includeArchived?: boolean | undefined }) =>
  includeArchived === false ? unarchived : undefined;

/** What the query of a list of things says that can be switched on and off, and archived. */
interface Query {
  status?: string[] | undefined;
  isEnabled?: boolean | undefined;
  includeArchived?: boolean | undefined;
}

/** The query parameters that `statusFilters` knows, besides the status. */
export const statusQuery = z.object({
  isEnabled: flag.meta({ description: 'Those that are on, or those that are off.' }),
  includeArchived: flag.meta({
    description: 'Archived ones too; they are left out where neither this nor a status is given.',
  }),
});

/** A condition: what is in one of some statuses, or was when it was archived. */
const lately = (statuses: string[]): Condition => ({
  name: 'lately in status',
  where: inArray(
    orElse(sql.identifier('archivedFrom'), sql.identifier('status')),
    valuesIn(sql.placeholder('lately')),
  ),
  values: { lately: JSON.stringify(statuses) },
});

/**
 * The filters by whether something is on, and of what is archived; that of the status goes by its column.
 * @param on the statuses in which it is on; in the status Disabled it is off
 */
export function statusFilters(query: Query, on: string[]): OwnFilters {
  const { status, isEnabled, includeArchived } = query;
  if (isEnabled === undefined) return { all: includeArchived || status !== undefined };
  const values = isEnabled ? on : ['Disabled'];
  if (status !== undefined) return { conditions: [lately(values)], all: true };
  if (!includeArchived) return { columns: { status: values } };
  const either = [
    { column: 'status', values },
    { column: 'archivedFrom', values },
  ] as const;
  return { either, all: true };
}
