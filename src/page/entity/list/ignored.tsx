import type { PropertyError } from '../../../base/problem.ts';
import { type Answer, get } from '../../base/api.ts';
import { problemOf } from '../../base/problems.ts';
import { usePage } from '../../base/use.ts';
import { placeOfProperty } from '../../base/words.ts';
import { Note } from '../../ui/note.tsx';

type Query = Record<string, string>;

const parameterOf = (property: string) =>
  property === 'sortKey' ? 'sort' : property.replace(/[.[].*$/, '');

const none: PropertyError[] = [];

const queryWithout = (query: Query, ignored: PropertyError[]): Query =>
  Object.fromEntries(
    Object.entries(query).filter(([name]) => ignored.every(({ property }) => property !== name)),
  );

async function loadFitting<T>(
  query: Query,
  pathOf: (query: Query) => string,
  load: (path: string) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  try {
    return await load(pathOf(query));
  } catch (error) {
    const { status, errors } = problemOf(error);
    const unfit = errors
      .map((one) => ({ ...one, property: parameterOf(one.property) }))
      .filter(({ property }) => property in query);
    if (status !== 400 || unfit.length === 0) throw error;
    const answer = await loadFitting(queryWithout(query, unfit), pathOf, load);
    return { ...answer, ignored: [...unfit, ...(answer.ignored ?? [])] };
  }
}

/** Reads a page of a list, and returns the used and the ignored parts of its address. */
export function useFitting<T>(
  query: Query,
  pathOf: (query: Query) => string,
  load: (path: string) => Promise<Answer<T[]>> = get,
) {
  const path = pathOf(query);
  const read = usePage<T>(path, () => loadFitting(query, pathOf, load));
  const ignored = (!read.isOld && read.value?.ignored) || none;
  return { ...read, path, ignored, fit: queryWithout(query, ignored) };
}

/** Lists the ignored filters of the address. Other parameters, such as of a campaign, are left out. */
export function Ignored({ ignored }: { ignored: PropertyError[] }) {
  const filters = ignored.filter(
    ({ errorMessage }) => !errorMessage.startsWith('is not a parameter'),
  );
  if (filters.length === 0) return null;
  return (
    <Note look="warn" live title="A part of this address was ignored">
      <ul class="plain-list">
        {filters.map(({ property, errorMessage }) => (
          <li key={property}>{`${placeOfProperty(property)} ${errorMessage}`}</li>
        ))}
      </ul>
    </Note>
  );
}
