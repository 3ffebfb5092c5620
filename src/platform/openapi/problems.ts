import { distinct } from '../../base/distinct.ts';
import { problemTypes } from '../../base/problem.ts';
import { type Json, reference } from './components.ts';
import { headersOf, isMany } from './responses.ts';
import { isChange, type Route } from './routes.ts';

const objectSchema = (properties: Json): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

const text = { type: 'string' };
const number = { type: 'integer' };

export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'message'],
  properties: {
    type: { ...text, description: 'The path of a page about the problem.' },
    title: { description: 'The problem, in a few words.', ...text },
    status: { description: 'The HTTP status.', ...number },
    message: { ...text, description: 'How to fix it, in a sentence.' },
    errors: {
      description: 'The invalid properties.',
      type: 'array',
      items: objectSchema({
        property: text,
        errorMessage: { description: 'The rule that the value breaks.', ...text },
      }),
    },
    references: {
      description: 'The references that prevent the change.',
      type: 'array',
      items: objectSchema({
        kind: text,
        id: text,
        property: text,
        refersTo: {
          description: 'The referenced entity.',
          ...objectSchema({ kind: text, id: text }),
        },
      }),
    },
    current: {
      description: 'The current version and its author, if another was expected.',
      ...objectSchema({
        version: number,
        lastModifierID: text,
        lastModifierName: text,
        lastModifiedTime: number,
      }),
    },
    index: { description: 'The index of the failed change, from 0.', ...number },
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

/** Statuses that only some operations have; each has its own response. */
const ownStatuses = [400, 404, 409, 412];

/** All other statuses except 405, which no documented path and method returns. */
const otherStatuses = distinct(
  Object.values(problemTypes).map(({ status }) => Number(status)),
).filter((status) => status !== 405 && !ownStatuses.includes(status));

const failures = otherStatuses.filter((status) => status >= 500);

const commonFailures = { FailedRead: [401, 403, ...failures], FailedChange: otherStatuses };

const ownHeaders: Record<number, string> = { 412: 'ETag', 429: 'Retry-After', 503: 'Retry-After' };

/** Only deliveries of SDKs return it, which the document leaves out. */
const isOfDeliveries = (code: string) => code === 'events_limited';

const meaningsOf = (statuses: number[]) =>
  Object.entries(problemTypes)
    .filter(([code, { status }]) => statuses.includes(status) && !isOfDeliveries(code))
    .map(([code, { status, meaning }]) => `- ${status} \`${code}\`: ${meaning}`)
    .join('\n');

const problemResponse = (statuses: number[]): Json => ({
  description: meaningsOf(statuses),
  headers: headersOf(...statuses.flatMap((status) => ownHeaders[status] ?? [])),
  content: { 'application/problem+json': { schema: reference('schemas', 'Problem') } },
});

/** Returns the error responses that operations refer to. */
export const problemResponses = (): Record<string, Json> => ({
  ...Object.fromEntries(ownStatuses.map((status) => [status, problemResponse([status])])),
  ...Object.fromEntries(
    Object.entries(commonFailures).map(([name, statuses]) => [name, problemResponse(statuses)]),
  ),
});

/** Returns references to the error responses of an operation: some by status, the rest as `default`. */
export function problemsOf(route: Route): Json {
  const { method, path } = route;
  const changes = isChange(route);
  const isPossible: Record<number, boolean> = {
    400: true, // Every operation rejects unknown query parameters.
    404:
      path.includes(':') || method === 'DELETE' || isMany(route) || route.operation.reads === true,
    409: changes || route.operation.conflicts === true,
    412: changes && (isMany(route) || !route.operation.isUnversioned),
  };
  const own = ownStatuses
    .filter((status) => isPossible[status])
    .map((status) => [status, reference('responses', String(status))]);
  return {
    ...Object.fromEntries(own),
    // A request with a body may be refused even if it changes nothing.
    default: reference('responses', method === 'GET' ? 'FailedRead' : 'FailedChange'),
  };
}
