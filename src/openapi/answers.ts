import * as z from 'zod';
import { type Json, type Keep, reference } from './components.ts';
import { isChange, type Route } from './routes.ts';
import { type Convert, nameOf } from './schemas.ts';

/** What an answer shows of what it is about. */
type Shown = 'page' | 'several' | 'one' | 'rows' | 'message';

const dataOf = (response: z.ZodType): unknown =>
  response instanceof z.ZodObject ? response.shape.data : undefined;

/** Answers that are about no one entity, and so have no version. */
const ofRows = new Set(['Accepted', 'Removed', 'Export', 'ImportReport', 'WebhookDelivery']);

function shownBy({ operation: { response } }: Route): Shown {
  const data = dataOf(response);
  if (response instanceof z.ZodObject && 'pagination' in response.shape) return 'page';
  if (data instanceof z.ZodArray) return 'several';
  const name = nameOf(data ?? response);
  if (name === 'Message') return 'message';
  return ofRows.has(name) ? 'rows' : 'one';
}

/** Whether an operation makes many changes, each an operation of its own. */
export const isMany = (route: Route) => isChange(route) && shownBy(route) === 'several';

/** Whether an operation makes something new, whose place its answer says. */
const isCreation = (route: Route) =>
  route.method === 'POST' &&
  isChange(route) &&
  !route.operation.replaces &&
  !isMany(route) &&
  (!route.path.includes(':') || route.path.endsWith('_as_new'));

/** Whether an operation takes away what it is about, rather than a part of it. */
const isRemoval = ({ method, path }: Route) =>
  method === 'DELETE' && (path.endsWith('/:id') || !path.includes(':'));

/** Whether an answer has the version of what it is about. */
export const isVersioned = (route: Route) =>
  !route.operation.reads &&
  !isRemoval(route) &&
  !isMany(route) &&
  ['one', 'several', 'message'].includes(shownBy(route));

/** The headers of an answer: those that every answer has, after its own. */
export const headersOf = (...own: string[]) =>
  Object.fromEntries(
    [...own, 'D1-Bookmark', 'Server-Timing'].map((name) => [name, reference('headers', name)]),
  );

const envelopes = { page: 'Page', several: 'List', one: 'Answer', rows: 'Answer', message: '' };

const usual = new Set(['message', 'data', 'pagination', 'warnings']);

/** The members that an answer has beside the usual ones, as the end of its name: `WithWarnings`. */
function furtherOf(response: z.ZodType): string {
  const members = response instanceof z.ZodObject ? Object.keys(response.shape) : [];
  const further = members.filter((member) => !usual.has(member));
  const named = further.map((member) => `${member[0]?.toUpperCase()}${member.slice(1)}`);
  return named.length > 0 ? `With${named.join('And')}` : '';
}

/** The schema of an answer, kept under a name that is made from that of what it shows. */
function keepSchema(route: Route, convert: Convert, keep: Keep): [name: string, schema: Json] {
  const { response } = route.operation;
  const data = dataOf(response);
  const schema = convert(response, 'output');
  if (data === undefined) return [nameOf(response), schema];
  const shown = nameOf(data instanceof z.ZodArray ? data.element : data);
  const name = `${shown}${envelopes[shownBy(route)]}${furtherOf(response)}`;
  return [name, keep('schemas', name, schema)];
}

/** What the name of an answer begins with, where another answer shows the same with other headers. */
function prefixOf(route: Route): string {
  if (isCreation(route) && isVersioned(route)) return 'Created';
  if (isRemoval(route)) return 'Removed';
  const isBare = dataOf(route.operation.response) === undefined;
  return isBare && isVersioned(route) ? 'Versioned' : '';
}

/** Keeps the answer of success, and answers the reference to it. */
export function keepAnswer(route: Route, convert: Convert, keep: Keep): Json {
  const [name, schema] = keepSchema(route, convert, keep);
  const own = [...(isVersioned(route) ? ['ETag'] : []), ...(isCreation(route) ? ['Location'] : [])];
  return keep('responses', `${prefixOf(route)}${name}`, {
    description: 'Success.',
    headers: headersOf(...own),
    content: {
      [route.operation.isLines ? 'application/x-ndjson' : 'application/json']: { schema },
    },
  });
}
