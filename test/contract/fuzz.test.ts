import { env } from 'cloudflare:workers';
import { Validator } from '@cfworker/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { problemSchema } from '../../src/platform/openapi/problems.ts';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { arbitraryOf, bodySchema, odd } from '../support/arbitrary.ts';
import { checkDocumented, costOf, routes, send, textOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { operationOf, type Piece, resolved, statusesOf } from '../support/document.ts';
import { prepareCall } from '../support/factories.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type Random, randomOf } from '../support/random.ts';
import { checkTransfer } from '../support/transfer.ts';
import { stepsOf } from '../support/work.ts';

const requests = Number(env.FUZZ_REQUESTS);
const seed = Number(env.SEED);

/** Limits the work of one random request to about ten times the largest that was measured. */
const maxWork = { steps: 1_000_000, rows: 4000, trips: 40 };

/** Requests per preparation of an operation. */
const perPreparation = 25;

const problems = new Validator(JSON.parse(JSON.stringify(problemSchema)), '2020-12', false);

/** Values that no schema expects. */
const oddValues = fc.sample(odd, { numRuns: 200, seed });

interface Target {
  route: Route;
  path: string;
  body: unknown;
  bodies: unknown[];
  statuses: Set<number>;
}

/** Prepares an operation, in a new database if earlier requests prevent it, for example by a global holdout. */
async function preparedSafely(route: Route) {
  try {
    return await prepareCall(route);
  } catch {
    await checkInvariants();
    await emptyDatabase();
    return prepareCall(route);
  }
}

/** Returns an operation with its path, a valid body and random bodies like it. */
async function target(random: Random, route: Route): Promise<Target> {
  const operation = operationOf(route);
  const { path, body } = await preparedSafely(route);
  const schema = bodySchema(operation);
  const options = { numRuns: perPreparation, seed: random.below(2 ** 31) };
  const bodies = schema ? fc.sample(arbitraryOf(schema), options) : [];
  return { route, path, body, bodies, statuses: statusesOf(operation) };
}

/** Returns a value with one random part replaced. */
function mutated(random: Random, value: unknown): unknown {
  const isLeaf = value === null || typeof value !== 'object' || Object.keys(value).length === 0;
  if (isLeaf || random.onceIn(6)) return random.pick(oddValues);
  const key = random.pick(Object.keys(value));
  if (Array.isArray(value))
    return value.map((part, index) => (String(index) === key ? mutated(random, part) : part));
  const own = Object.fromEntries(Object.entries(value));
  if (random.onceIn(5))
    return Object.fromEntries(Object.entries(own).filter(([name]) => name !== key));
  return { ...own, [key]: mutated(random, own[key]) };
}

/** Breaks JSON, or writes it in an unusual way. */
const brokenTexts: ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  (text) => `${text}}`,
  (text) => text.replace(/\d+/, '1e999'),
  (text) => text.replace(/\d+/, '-0'),
  (text) => text.replace(/\d+/, '9007199254740993'),
  (text) => text.replace('{', '{"__proto__":{"admin":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":1},'),
  (text) => text.replace('{', '{"name":"twice",'),
  () => '[]',
  () => 'null',
  () => '"text"',
  () => ' ',
  () => '\ufeff{}',
  () => `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
];

function bodyOf(random: Random, { body, bodies }: Target): string | undefined {
  if (body === undefined && bodies.length === 0) return random.onceIn(3) ? '{"more":1}' : undefined;
  const base = bodies.length > 0 && random.onceIn(3) ? random.pick(bodies) : (body ?? {});
  const chosen = random.onceIn(4) ? base : mutated(random, base);
  const text = JSON.stringify(chosen) ?? 'null';
  return random.onceIn(10) ? random.pick(brokenTexts)(text) : text;
}

const oddTexts = [
  '',
  ' ',
  '0',
  '-1',
  '1e3',
  '%00',
  '%F0%9F%97%BB',
  '%E0%A4',
  '..',
  "'--",
  '*',
  '__proto__',
  '%22',
  'x'.repeat(300),
];
const oddTags = ['*', '"1"', '"0"', 'W/"1"', '1', '"', '"1","2"', '', 'x'.repeat(300)];
const oddTypes = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/jsonx',
  'application/merge-patch+json',
  'multipart/form-data',
  '',
];
const oddKeys = ['key', 'x'.repeat(255), 'x'.repeat(256), 'a b', ''];
const oddBookmarks = [
  'x',
  'first-primary',
  '00000000-00000000-00000000-00000000000000000000000000000000',
];

function headersOf(random: Random): Record<string, string> {
  const headers: Record<string, string> = {};
  const maybe = (name: string, values: string[], times: number) => {
    if (random.onceIn(times)) headers[name] = random.pick(values);
  };
  maybe('If-Match', oddTags, 6);
  maybe('If-None-Match', oddTags, 8);
  maybe('Content-Type', oddTypes, 12);
  maybe('Idempotency-Key', oddKeys, 10);
  maybe('D1-Bookmark', oddBookmarks, 15);
  maybe('Accept', ['text/html', 'application/xml', '*/*;q=0'], 15);
  return headers;
}

function pathOf(random: Random, { path, route }: Target): string {
  const [own = '', query = ''] = path.split('?');
  const parts = own.split('/');
  const places = route.path
    .split('/')
    .flatMap((part, index) => (part.startsWith(':') ? [index] : []));
  if (places.length > 0 && random.onceIn(6))
    parts[random.pick(places)] = random.pick(oddTexts.slice(2, -1)) || 'x';
  const parameters = new URLSearchParams(query);
  const known: Piece[] = (operationOf(route).parameters ?? [])
    .map(resolved)
    .filter((each: Piece) => each.in === 'query');
  for (const { name, schema } of random.some(known, 3)) {
    const [likely] = fc.sample(arbitraryOf(schema), { numRuns: 1, seed: random.below(2 ** 31) });
    const value = random.onceIn(3) ? random.pick(oddTexts) : String(likely);
    parameters.append(name, name === 'dryRun' && random.onceIn(2) ? 'true' : value);
  }
  if (random.onceIn(20))
    parameters.append(random.pick(['unknown', '__proto__', 'page[]', '']), 'x');
  return `${parts.join('/')}?${parameters}`;
}

/** Checks a response against the OpenAPI document. */
async function check(
  { route, statuses }: Target,
  response: Response,
  label: string,
): Promise<void> {
  const text = await textOf(response);
  expect(response.status, `${label}\n${text}`).toBeLessThan(500);
  expect([...statuses], `${label}\n${text}`).toContain(response.status);
  if (response.status === 304) return expect(text).toBe('');
  if (response.headers.get('Content-Type')?.startsWith('application/x-ndjson')) {
    for (const line of text.split('\n').filter((each) => each !== '')) JSON.parse(line);
    return;
  }
  if (response.headers.get('Content-Type')?.startsWith('text/csv'))
    return checkDocumented(route, response.status, text);
  const body = JSON.parse(text);
  if (response.ok) return checkDocumented(route, response.status, body);
  expect(response.headers.get('Content-Type'), label).toContain('application/problem+json');
  const { valid, errors } = problems.validate(body);
  expect(valid, `${label}\n${text}\n${JSON.stringify(errors)}`).toBe(true);
  expect(body.status, label).toBe(response.status);
}

async function request(random: Random, aim: Target): Promise<void> {
  const { route } = aim;
  const [path, headers, body] = [pathOf(random, aim), headersOf(random), bodyOf(random, aim)];
  const given = { headers, ...(route.method !== 'GET' && body !== undefined && { body }) };
  const whole = `seed ${seed}: ${route.method} ${path} ${JSON.stringify(headers)}\n${body}`;
  const label = whole.slice(0, 3000).toWellFormed();
  const responses: Response[] = [];
  const steps = await stepsOf(async () => {
    responses.push(await send(route.method, path, given));
  });
  for (const response of responses) {
    const { trips, read, written } = costOf(response);
    expect(steps, `steps of ${label}`).toBeLessThan(maxWork.steps);
    expect(read + written, `rows of ${label}`).toBeLessThan(maxWork.rows);
    expect(trips, `round trips of ${label}`).toBeLessThan(maxWork.trips);
    // An ID of dots leads to another path, which may lack the method.
    const statuses = /\/\.\.?[/?]/.test(path) ? new Set([...aim.statuses, 405]) : aim.statuses;
    await check({ ...aim, statuses }, response, label);
  }
}

test(`${requests} random requests have documented responses and bounded work`, async () => {
  const random = randomOf(seed);
  for (let count = 0; count < requests; count += perPreparation) {
    const aim = await target(random, random.pick(routes));
    for (let turn = 0; turn < perPreparation; turn++) await request(random, aim);
  }
  await checkInvariants();
  await checkTransfer(`seed ${seed}`);
}, 36_000_000);
