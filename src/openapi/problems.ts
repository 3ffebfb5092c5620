import { problemTypes } from '../problem.ts';
import { distinct } from '../shared/distinct.ts';
import { headersOf, isMany } from './answers.ts';
import { type Json, reference } from './components.ts';
import { isChange, type Route } from './routes.ts';

/** A schema of an object that has all of these properties. */
const objectOf = (properties: Json): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const text = { type: 'string' };
const number = { type: 'integer' };

/** What every error answers. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'message'],
  properties: {
    type: { ...text, description: 'The path of a page that explains the problem.' },
    title: text,
    status: number,
    message: { ...text, description: 'What to do, in a sentence.' },
    errors: { type: 'array', items: objectOf({ property: text, errorMessage: text }) },
    references: {
      type: 'array',
      items: objectOf({
        kind: text,
        id: text,
        property: text,
        refersTo: objectOf({ kind: text, id: text }),
      }),
    },
    current: objectOf({
      version: number,
      lastModifierID: text,
      lastModifierName: text,
      lastModifiedTime: number,
    }),
    index: number,
  },
  examples: [
    {
      type: '/problems/invalid',
      title: problemTypes.invalid.title,
      status: problemTypes.invalid.status,
      message: 'name must be at least 3 characters long.',
      errors: [{ property: 'name', errorMessage: 'must be at least 3 characters long' }],
    },
  ],
};

/** Statuses that depend on what is asked of what; each is a response of its own. */
const ownStatuses = [400, 404, 409, 412];

/** The rest, but for 405: a path that is documented with a method has it. */
const otherStatuses = distinct(
  Object.values(problemTypes).map(({ status }) => Number(status)),
).filter((status) => status !== 405 && !ownStatuses.includes(status));

const failures = otherStatuses.filter((status) => status >= 500);

/** What is said once of all reads, and of all that have a body. */
const others = { FailedRead: [401, 403, ...failures], FailedChange: otherStatuses };

/** What answers of some statuses say in headers. */
const ownHeaders: Record<number, string> = { 412: 'ETag', 429: 'Retry-After', 503: 'Retry-After' };

/** What the problems of some statuses are. */
const meaningsOf = (statuses: number[]) =>
  Object.entries(problemTypes)
    .filter(([, { status }]) => statuses.includes(status))
    .map(([code, { status, meaning }]) => `- ${status} \`${code}\`: ${meaning}`)
    .join('\n');

/** The response of problems of some statuses. */
const responseOf = (statuses: number[]): Json => ({
  description: meaningsOf(statuses),
  headers: headersOf(...statuses.flatMap((status) => ownHeaders[status] ?? [])),
  content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } },
});

/** The responses of all problems. */
export const problemResponses = (): Record<string, Json> => ({
  ...Object.fromEntries(ownStatuses.map((status) => [status, responseOf([status])])),
  ...Object.fromEntries(
    Object.entries(others).map(([name, statuses]) => [name, responseOf(statuses)]),
  ),
});

/** References to the problems that an operation can answer: those of its own by status, the rest as one. */
export function problemsOf(route: Route): Json {
  const { method, path } = route;
  const changes = isChange(route);
  const can: Record<number, boolean> = {
    400: true, // An unknown query parameter is one, everywhere.
    404:
      path.includes(':') || method === 'DELETE' || isMany(route) || route.operation.reads === true,
    409: changes || route.operation.conflicts === true,
    412: changes && (isMany(route) || !route.operation.isUnversioned),
  };
  const own = ownStatuses
    .filter((status) => can[status])
    .map((status) => [status, reference('responses', String(status))]);
  return {
    ...Object.fromEntries(own),
    // What has a body can be refused for it, though it may change nothing.
    default: reference('responses', method === 'GET' ? 'FailedRead' : 'FailedChange'),
  };
}
