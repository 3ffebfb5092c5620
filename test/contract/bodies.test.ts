import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type * as z from 'zod';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { arbitraryOf, bodySchema } from '../support/arbitrary.ts';
import { call, each, routes } from '../support/client.ts';
import { operationOf, type Piece, wholeSchema } from '../support/document.ts';
import { prepareCall, unique } from '../support/factories.ts';
import { objectOf } from '../support/shapes.ts';

const seed = Number(env.SEED);
const runs = { numRuns: Number(env.BODIES), seed, endOnFailure: true };

const schemaOf = ({ parts }: Route) => parts.find(({ target }) => target === 'json')?.schema;
/** Fields that refer to entities or depend on the state, so that random values are rejected. */
const dependentFields = new Set([
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

/** Further such fields, by the beginning of the path. */
const dependentFieldsOf: Record<string, string[]> = {
  keys: ['environments', 'reports', 'scopes', 'targetAppID'], // depend on the type of the key
  company: ['strict'], // rejects other requests
  environments: ['environments'], // must keep those in use
  exposures: ['exposures'], // name existing entities
  'metrics/unit_values': ['values'], // name existing metrics
  webhooks: ['url'], // must be public
};

/** Fields that a response changes on purpose. */
const transformed = new Set([
  'id',
  'ids',
  'status',
  'creatorEmail',
  'creatorID',
  'manualQualityScores',
  'owner',
  'startTime', // the scheduled start, not the actual one
]);

/** Whether a value contains the expected one; objects may have more, such as generated IDs. */
function covers(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((value, index) => covers(actual[index], value))
    );
  if (expected === null || typeof expected !== 'object')
    return Object.is(actual, expected) || actual === expected;
  const found = new Map<string, unknown>(Object.entries(objectOf(actual)));
  return Object.entries(expected).every(
    ([key, value]) => value === undefined || covers(found.get(key), value),
  );
}

/** Returns the part of a response that was sent: operations on one rule return its whole entity. */
function sentPartOf({ path }: Route, at: string, data: { rules: { id: string }[] }): object {
  if (!path.includes('/rules')) return data;
  const ruleID = at.split('/rules/')[1];
  return data.rules.find(({ id }) => id === ruleID) ?? objectOf(data.rules.at(-1));
}

/** Adds to the prepared body all random values that validation accepts. */
function withValues(
  { path }: Route,
  schema: z.ZodType,
  body: object,
  values: object,
): Record<string, unknown> {
  const here = Object.entries(dependentFieldsOf)
    .filter(([start]) => path.startsWith(`/console/v1/${start}`))
    .flatMap(([, fields]) => fields);
  let valid: Record<string, unknown> = { ...body };
  for (const [property, value] of Object.entries(values)) {
    // IDs are generated from names, so that these must differ.
    const own =
      /^((source_)?name|email)$/.test(property) && typeof value === 'string'
        ? `${unique('n').replace(' ', '')}${property === 'email' ? '' : ' '}${value}`
        : value;
    const next = { ...valid, [property]: own };
    if (
      !dependentFields.has(property) &&
      !here.includes(property) &&
      schema.safeParse(next).success
    )
      valid = next;
  }
  return valid;
}

const propertiesOf = (route: Route) => {
  const schema = bodySchema(operationOf(route));
  return schema ? wholeSchema(schema).properties : {};
};

const randomValues = (route: Route) =>
  fc.record(
    Object.fromEntries(
      Object.entries<Piece>(propertiesOf(route)).map(([name, part]) => [name, arbitraryOf(part)]),
    ),
    { requiredKeys: [], noNullPrototype: true },
  );

// Explanations need an existing entity.
const withBody = each(
  (route) =>
    schemaOf(route) && !route.operation.reads && Object.keys(propertiesOf(route)).length > 0,
);

describe(`a random body (seed ${seed})`, () => {
  test.each(withBody)('%s accepts a random body and returns its values', async (title, route) => {
    const schema = schemaOf(route);
    if (!schema) return;
    await fc.assert(
      fc.asyncProperty(randomValues(route), async (values) => {
        const { path, body } = await prepareCall(route);
        const given = withValues(route, schema, objectOf(body), values);
        const answer = await call(route.method, path, { body: given });
        const label = `${title} ${JSON.stringify(given)}\n${JSON.stringify(answer.body)}`;
        expect(answer.status, label).toBeLessThan(300);
        const parsed = new Map<string, unknown>(Object.entries(objectOf(schema.parse(given))));
        if (route.method === 'DELETE') return; // It returns the remaining values.
        for (const [property, value] of Object.entries(
          objectOf(sentPartOf(route, path, answer.data)),
        )) {
          // Validation drops values such as an empty `baseID`, which the server generates.
          if (parsed.get(property) === undefined || transformed.has(property)) continue;
          if (values[property] === undefined) continue;
          expect([property, covers(value, parsed.get(property))], label).toEqual([property, true]);
        }
      }),
      runs,
    );
  });

  test.each(withBody)(
    '%s rejects a random body with one wrong value, and names the field',
    async (title, route) => {
      const schema = schemaOf(route);
      if (!schema) return;
      const { path, body } = await prepareCall(route);
      const wrong = fc.record({
        pick: fc.nat(),
        value: fc.constantFrom<unknown>({ a: 1 }, [[1]], true, 1.5, -7, 'x', null, ''),
      });
      await fc.assert(
        fc.asyncProperty(wrong, async ({ pick, value }) => {
          const places = placesIn(objectOf(body));
          const place = places[pick % places.length] ?? [];
          const given = replaced(objectOf(body), place, value);
          const { error } = schema.safeParse(given);
          const at = place.join('.');
          const isHere = error?.issues.every((issue) => issue.path.join('.').startsWith(at));
          if (!error || !isHere) return;
          const answer = await call(route.method, path, { body: given });
          const label = `${title} ${JSON.stringify(given)}\n${JSON.stringify(answer.body)}`;
          expect([answer.status, answer.body.type], label).toEqual([400, '/problems/invalid']);
          for (const { property, errorMessage } of answer.body.errors) {
            expect(property.startsWith(at), label).toBe(true);
            expect(errorMessage, label).toMatch(/^\S.*[^.]$/);
          }
        }),
        { ...runs, numRuns: 3 * runs.numRuns },
      );
    },
  );
});

/** The paths of all values in a body. */
function placesIn(value: unknown, at: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [at];
  const inner = Object.entries(value).flatMap(([key, part]) => placesIn(part, [...at, key]));
  return at.length > 0 ? [at, ...inner] : inner;
}

/** Returns a body with another value at a path. */
function replaced(body: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(body))
    return body.map((part, index) => (String(index) === key ? replaced(part, rest, value) : part));
  const own = new Map<string, unknown>(Object.entries(objectOf(body)));
  return Object.fromEntries(own.set(key, replaced(own.get(key), rest, value)));
}

test('random bodies are sent to all operations with a body', () => {
  const all = routes.filter((route) => schemaOf(route) && !route.operation.reads);
  expect(withBody.length).toBe(all.length);
});
