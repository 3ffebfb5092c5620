import * as z from 'zod';
import { sentenceOf } from '../http/success.ts';
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
function keepSchema(route: Route, convert: Convert, keep: Keep): Json {
  const { response } = route.operation;
  const data = dataOf(response);
  const schema = convert(response, 'output');
  if (data === undefined) return schema;
  const shown = nameOf(data instanceof z.ZodArray ? data.element : data);
  const name = `${shown}${envelopes[shownBy(route)]}${furtherOf(response)}`;
  return keep('schemas', name, schema);
}

/** The schema of an answer with the sentence that it says, for readers and for servers that play this one. */
const saying = (schema: Json, sentence: string): Json => ({
  allOf: [schema, { properties: { message: { type: 'string', examples: [sentence] } } }],
});

/** The name of the answer that says a sentence: `Gate rule added successfully.` → `GateRuleAdded`. */
function nameBy(sentence: string): string {
  const [deed = ''] = sentence.replace(' successfully', '').split(':');
  const words = deed.match(/[A-Za-z]+/g) ?? [];
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join('');
}

/** The answer of success. It stands with its operation: there are generators that ask no reference what it is of. */
export function answerOf(route: Route, convert: Convert, keep: Keep): Json {
  const { success, isLines } = route.operation;
  const envelope = keepSchema(route, convert, keep);
  const sentence = success && sentenceOf(success);
  const schema = sentence
    ? keep('schemas', nameBy(sentence), saying(envelope, sentence))
    : envelope;
  const own = [...(isVersioned(route) ? ['ETag'] : []), ...(isCreation(route) ? ['Location'] : [])];
  return {
    description: 'Success.',
    headers: headersOf(...own),
    content: { [isLines ? 'application/x-ndjson' : 'application/json']: { schema } },
  };
}
