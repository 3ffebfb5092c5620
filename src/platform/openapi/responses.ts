import * as z from 'zod';
import { documentedMessage } from '../http/success.ts';
import { type Json, type Keep, reference } from './components.ts';
import { isChange, type Route } from './routes.ts';
import { type Convert, schemaID } from './schemas.ts';

type Shape = 'page' | 'several' | 'one' | 'rows' | 'message';

const dataOf = (response: z.ZodType): unknown =>
  response instanceof z.ZodObject ? response.shape.data : undefined;

/** The names of response schemas that are not about one entity, and so have no version. */
const unversionedSchemas = new Set([
  'Accepted',
  'Removed',
  'Export',
  'ImportReport',
  'WebhookDelivery',
  'CSV',
]);

function shapeOf({ operation: { response } }: Route): Shape {
  const data = dataOf(response);
  if (response instanceof z.ZodObject && 'pagination' in response.shape) return 'page';
  if (data instanceof z.ZodArray) return 'several';
  const name = schemaID(data ?? response);
  if (name === 'Message') return 'message';
  return unversionedSchemas.has(name) ? 'rows' : 'one';
}

/** Whether an operation makes many changes, each of them an operation. */
export const isMany = (route: Route) => isChange(route) && shapeOf(route) === 'several';

const isCreationRoute = (route: Route) =>
  route.method === 'POST' &&
  isChange(route) &&
  !route.operation.replaces &&
  !isMany(route) &&
  (!route.path.includes(':') || route.path.endsWith('_as_new'));

const isRemovalRoute = ({ method, path }: Route) =>
  method === 'DELETE' && (path.endsWith('/:id') || !path.includes(':'));

/** Whether a response has the version of an entity. */
export const isVersioned = (route: Route) =>
  !route.operation.reads &&
  !route.operation.isUntagged &&
  !isRemovalRoute(route) &&
  !isMany(route) &&
  ['one', 'several', 'message'].includes(shapeOf(route));

/** Returns references to the given headers and to those of every response. */
export const headersOf = (...own: string[]) =>
  Object.fromEntries(
    [...own, 'D1-Bookmark', 'Server-Timing'].map((name) => [name, reference('headers', name)]),
  );

const envelopes = { page: 'Page', several: 'List', one: 'Answer', rows: 'Answer', message: '' };

const usualMembers = new Set(['message', 'data', 'pagination', 'warnings']);

function extraMembersOf(response: z.ZodType): string {
  const members = response instanceof z.ZodObject ? Object.keys(response.shape) : [];
  const extra = members.filter((member) => !usualMembers.has(member));
  const named = extra.map((member) => `${member[0]?.toUpperCase()}${member.slice(1)}`);
  return named.length > 0 ? `With${named.join('And')}` : '';
}

function keepSchema(route: Route, convert: Convert, keep: Keep): Json {
  const { response } = route.operation;
  const data = dataOf(response);
  const schema = convert(response, 'output');
  if (data === undefined) return schema;
  const dataName = schemaID(data instanceof z.ZodArray ? data.element : data);
  const name = `${dataName}${envelopes[shapeOf(route)]}${extraMembersOf(response)}`;
  return keep('schemas', name, schema);
}

const withMessage = (schema: Json, sentence: string): Json => ({
  allOf: [schema, { properties: { message: { type: 'string', examples: [sentence] } } }],
});

/** `Gate rule added successfully.` → `GateRuleAdded`. */
function nameByMessage(sentence: string): string {
  const [deed = ''] = sentence.replace(' successfully', '').split(':');
  const words = deed.match(/[A-Za-z]+/g) ?? [];
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

const tableSchema = { type: 'string', description: 'A table (RFC 4180).' };

/** Returns the success response inline: some generators do not follow a reference to a response. */
export function successResponse(route: Route, convert: Convert, keep: Keep): Json {
  const { success, isLines, isTable, isCSV } = route.operation;
  const envelope = keepSchema(route, convert, keep);
  const sentence = success && documentedMessage(success);
  const schema = sentence
    ? keep('schemas', nameByMessage(sentence), withMessage(envelope, sentence))
    : envelope;
  const own = [
    ...(isVersioned(route) ? ['ETag'] : []),
    ...(isCreationRoute(route) ? ['Location'] : []),
  ];
  return {
    description: 'Success.',
    headers: headersOf(...own),
    content: {
      [isLines ? 'application/x-ndjson' : isCSV ? 'text/csv' : 'application/json']: { schema },
      ...(isTable && { 'text/csv': { schema: keep('schemas', 'Table', tableSchema) } }),
    },
  };
}
