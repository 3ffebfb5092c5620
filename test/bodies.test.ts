import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Route } from '../src/openapi/routes.ts';
import { arbitraryOf, bodySchema } from './support/arbitrary.ts';
import { call, each, routes } from './support/client.ts';
import { described, type Piece, whole } from './support/document.ts';
import { prepared, unique } from './support/factories.ts';

const seed = Number(env.SEED);
const runs = { numRuns: Number(env.BODIES), seed, endOnFailure: true };

const schemaOf = ({ parts }: Route) => parts.find(({ target }) => target === 'json')?.schema;
/** What names something else, or must fit the state: values at random are refused, and the refusal names them. */
const bound = new Set([
  'lines',
  'data',
  'pagination',
  'assignmentSourceName',
  'changes',
  'conditionalOverrides',
  'conditions',
  'controlGroupID',
  'date',
  'defaultRollupWindow',
  'dynamicConfigID',
  'dynamicConfigIDs',
  'experimentIDs',
  'expiresTime',
  'failingUserIDs',
  'gateID',
  'gateIDs',
  'groupIDs',
  'groups',
  'id',
  'idOverrides',
  'launchedGroupID',
  'layerID',
  'layerIDs',
  'linkedExperimentName',
  'metricComponentMetrics',
  'metricEvents',
  'overrides',
  'parameters',
  'passingUserIDs',
  'environmentOverrides',
  'phaseID',
  'position',
  'promptIDs',
  'releasePipelineID',
  'rules',
  'schema',
  'schemaJson5',
  'startTime',
  'status',
  'targetingGateID',
  'type',
  'userIDOverrides',
]);

/** The same, in one kind of entity alone. */
const boundIn: Record<string, string[]> = {
  keys: ['environments', 'scopes', 'targetAppID'], // by the type of the key
  company: ['strict'], // which refuses what others send
  environments: ['environments'], // which keeps those that entities of other bodies name
  exposures: ['exposures'], // of entities that there are
  webhooks: ['url'], // a public one
};

/** What is answered otherwise than it was sent, by decision. */
const transformed = new Set([
  'id',
  'ids',
  'status',
  'creatorEmail',
  'creatorID',
  'manualQualityScores',
  'owner',
  'startTime', // of a schedule: when it shall start, not when it did
]);

/** Whether a value has all that is expected: objects may have more, such as ids that the server gives. */
function covers(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => covers(actual[index], value))
    );
  if (expected === null || typeof expected !== 'object')
    return Object.is(actual, expected) || actual === expected;
  const found = new Map(Object.entries(Object(actual)));
  return Object.entries(expected).every(
    ([key, value]) => value === undefined || covers(found.get(key), value),
  );
}

/** What an operation answers of what it was sent: operations on one rule answer all that has it. */
function shownOf({ path }: Route, at: string, data: { rules: { id: string }[] }): object {
  if (!path.includes('/rules')) return data;
  const ruleID = at.split('/rules/')[1];
  return data.rules.find(({ id }) => id === ruleID) ?? Object(data.rules.at(-1));
}

/** A body that validation takes: the prepared one, with as many random values as fit. */
function withValues(
  { path }: Route,
  schema: z.ZodType,
  body: object,
  values: object,
): Record<string, unknown> {
  const here = boundIn[path.split('/')[3] ?? ''] ?? [];
  let valid: Record<string, unknown> = { ...body };
  for (const [property, value] of Object.entries(values)) {
    // A name makes an id, which is free once.
    const own =
      /^((source_)?name|email)$/.test(property) && typeof value === 'string'
        ? `${unique('n').replace(' ', '')}${property === 'email' ? '' : ' '}${value}`
        : value;
    const next = { ...valid, [property]: own };
    if (!bound.has(property) && !here.includes(property) && schema.safeParse(next).success)
      valid = next;
  }
  return valid;
}

const propertiesOf = (route: Route) => {
  const schema = bodySchema(described(route));
  return schema ? whole(schema).properties : {};
};

const randomValues = (route: Route) =>
  fc.record(
    Object.fromEntries(
      Object.entries<Piece>(propertiesOf(route)).map(([name, part]) => [name, arbitraryOf(part)]),
    ),
    { requiredKeys: [], noNullPrototype: true },
  );

// An explanation is of an entity that there is.
const withBody = each(
  (route) =>
    schemaOf(route) && !route.operation.reads && Object.keys(propertiesOf(route)).length > 0,
);

describe(`a body at random (seed ${seed})`, () => {
  test.each(withBody)('is taken by %s, and read back', async (title, route) => {
    const schema = schemaOf(route);
    if (!schema) return;
    await fc.assert(
      fc.asyncProperty(randomValues(route), async (values) => {
        const { path, body } = await prepared(route);
        const given = withValues(route, schema, Object(body), values);
        const answer = await call(route.method, path, { body: given });
        const told = `${title} ${JSON.stringify(given)}\n${JSON.stringify(answer.body)}`;
        expect(answer.status, told).toBeLessThan(300);
        const parsed = new Map(Object.entries(Object(schema.parse(given))));
        if (route.method === 'DELETE') return; // It answers what is left.
        for (const [property, value] of Object.entries(Object(shownOf(route, path, answer.data)))) {
          // What validation takes for absent, as an empty `baseID`, is the server's to give.
          if (parsed.get(property) === undefined || transformed.has(property)) continue;
          if (Object(values)[property] === undefined) continue;
          expect([property, covers(value, parsed.get(property))], told).toEqual([property, true]);
        }
      }),
      runs,
    );
  });

  test.each(withBody)(
    'with one wrong value is refused by %s, which names it',
    async (title, route) => {
      const schema = schemaOf(route);
      if (!schema) return;
      const { path, body } = await prepared(route);
      const wrong = fc.record({
        pick: fc.nat(),
        value: fc.constantFrom<unknown>({ a: 1 }, [[1]], true, 1.5, -7, 'x', null, ''),
      });
      await fc.assert(
        fc.asyncProperty(wrong, async ({ pick, value }) => {
          const places = placesIn(Object(body));
          const place = places[pick % places.length] ?? [];
          const given = replaced(Object(body), place, value);
          const { error } = schema.safeParse(given);
          const at = place.join('.');
          const isHere = error?.issues.every((issue) => issue.path.join('.').startsWith(at));
          if (!error || !isHere) return;
          const answer = await call(route.method, path, { body: given });
          const told = `${title} ${JSON.stringify(given)}\n${JSON.stringify(answer.body)}`;
          expect([answer.status, answer.body.type], told).toEqual([400, '/problems/invalid']);
          for (const { property, errorMessage } of answer.body.errors) {
            expect(property.startsWith(at), told).toBe(true);
            expect(errorMessage, told).toMatch(/^\S.*[^.]$/);
          }
        }),
        { ...runs, numRuns: 3 * runs.numRuns },
      );
    },
  );
});

/** The places of all values in a body. */
function placesIn(value: unknown, at: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [at];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]));
  return at.length > 0 ? [at, ...inner] : inner;
}

/** A body with another value at one place. */
function replaced(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((part, index) => (String(index) === key ? replaced(part, rest, value) : part));
  return { ...Object(body), [key]: replaced(Object(body)[key], rest, value) };
}

test('all operations with a body are tried', () => {
  const all = routes.filter((route) => schemaOf(route) && !route.operation.reads);
  expect(withBody.length).toBe(all.length);
});
