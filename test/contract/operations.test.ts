import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyScope } from '../../src/platform/env.ts';
import { isChange, type Route } from '../../src/platform/openapi/routes.ts';
import { call, costOf, each, routes } from '../support/client.ts';
import { operations, resources } from '../support/console_api.ts';
import {
  document,
  documentsHeader,
  type Piece,
  resolved,
  wholeSchema,
} from '../support/document.ts';
import {
  makeConnection,
  makeEnvironments,
  makeKey,
  prepareCall,
  unique,
} from '../support/factories.ts';
import { isList } from '../support/lists.ts';
import { documentedMessage, importMessages } from '../support/messages.ts';
import { scopeOf } from '../support/scopes.ts';
import { isClocked, isOfNames, otherTrips, shortTitle, usualTrips } from '../support/trips.ts';

/** A path as the document writes it. */
const templated = (path: string) => path.replace(/:(\w+)/g, '{$1}');

/** The types of a JSON Schema, `null` among them. */
function typesOf(schema: Piece): string[] {
  const { type, anyOf = [] } = resolved(schema);
  return type ? [type].flat() : anyOf.flatMap(typesOf);
}

test('each of the 21 operations of the contract has a route, and is documented', () => {
  expect(operations).toHaveLength(21);
  const all = routes.map(({ method, path }) => `${method} ${templated(path)}`);
  for (const [method, path] of operations) {
    expect(all).toContain(`${method} ${path}`);
    expect(document.paths[path]).toHaveProperty(method.toLowerCase());
  }
});

/** Reads of results: test/results and test/learning bound their rows. */
const isOfResults = ({ path }: Route) =>
  /\/(pulse_\w+|\w*exposures|health|results|exposure_count|baseline|reports(\/:type)?)$/.test(path);

/** The numbers of rows that a read of one entity may have. */
function rowsOfOne(route: Route): number[] {
  if (route.path.endsWith('/export')) return [2, 3, 4];
  // References to its groups are read too, and a union counts as a row.
  if (route.path.endsWith('/experiments/:id/references')) return [2, 3];
  return isClocked(route) ? [1, 2] : [1];
}

const withQuery = (path: string, query: string) =>
  `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Operations on the current state of an existing entity. */
const updates = ({ path }: Route) =>
  path.includes('/:id') && !/restart_as_new$|restore$|resend$|load_pulse$/.test(path);

/** Returns the path of the entity of an operation. */
const entityIn = (path: string, route: Route) =>
  path
    .split('/')
    .slice(0, route.path.split('/').indexOf(':id') + 1)
    .join('/');

describe('each operation', () => {
  const keys = new Map<KeyScope, string>();
  /** Texts that only keys with the scope admin may read. */
  const secret: string[] = [];

  beforeAll(async () => {
    await makeEnvironments(); // so that setting others removes a name
    for (const scope of ['read', 'write'] as const)
      keys.set(scope, (await makeKey({ scopes: [scope] })).key);
    const [name, project] = [unique('Hidden key'), unique('hidden-project')];
    await makeKey({ name, ownerEmail: 'hidden@shop.example' });
    await makeConnection({ bigquery: { project } });
    secret.push(name, project, 'hidden@shop.example');
  });

  /** Calls an operation with only its scope; a key without the scope admin reads no secret. */
  async function callScoped(route: Route, path: string, body: unknown) {
    const key = keys.get(scopeOf(route)); // those with the scope admin need others too, and use the root key
    const answer = await call(route.method, path, { body, key });
    expect(answer.status, JSON.stringify(answer.body)).toBe(route.operation.status ?? 200);
    if (key) for (const hidden of secret) expect(JSON.stringify(answer.body)).not.toContain(hidden);
    return answer;
  }

  test.each(each((route) => !isChange(route)))(
    '%s responds as documented, with its round trips and few rows, and with 304 for its ETag',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      await callScoped(route, path, body);
      const answer = await call(route.method, path, { body });
      expect(costOf(answer).trips).toBe(usualTrips(route, body).usual);
      if (route.method === 'GET' && !isList(route) && !isOfNames(route) && !isOfResults(route))
        expect(rowsOfOne(route), 'rows read').toContain(costOf(answer).read);
      const tag = answer.headers.get('ETag');
      if (tag === null || tag.startsWith('"0.')) return; // results that are not loaded yet
      const headers = { 'If-None-Match': tag };
      const again = await call(route.method, path, { headers });
      expect([again.status, again.body]).toEqual([304, undefined]);
    },
  );

  test.each(each(isChange))(
    '%s responds as documented, with its round trips, as in its dry run, and with 412 for a stale If-Match',
    async (_, route) => {
      const { path, body } = await prepareCall(route);
      const hasTag = documentsHeader(route, 'If-Match');
      if (hasTag) {
        const headers = { 'If-Match': '"77"' };
        const stale = await call(route.method, path, { body, headers });
        expect([stale.status, stale.body.type]).toEqual([412, '/problems/precondition']);
      }
      const dry = await callScoped(route, withQuery(path, 'dryRun=true'), body);
      const before =
        hasTag && updates(route) ? await call('GET', entityIn(path, route)) : undefined;
      const headers = {
        ...(before && { 'If-Match': `"77", ${before.headers.get('ETag')}` }),
        ...(route.method === 'POST' && { 'Idempotency-Key': unique('key').replace(' ', '-') }),
      };
      const real = await call(route.method, path, { body, headers });
      expect(real.status, JSON.stringify(real.body)).toBe(route.operation.status ?? 200);
      expect(Object.keys(real.body)).toEqual(Object.keys(dry.body));
      const { trips, written } = costOf(real);
      expect([trips, written > 0]).toEqual([usualTrips(route, body).usual, true]);
      if (route.method === 'DELETE' && route.path.endsWith('/:id'))
        expect(real.data).toMatchObject(before?.data);
      if (route.method !== 'POST') return;
      const again = await call('POST', path, { body, headers });
      expect([again.status, again.body]).toEqual([real.status, real.body]);
      for (const name of ['Content-Type', 'Location', 'ETag'])
        expect(again.headers.get(name)).toBe(real.headers.get(name));
      expect(real.headers.get('Idempotency-Replayed')).toBeNull();
      expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    },
  );

  test('operations with unusual round trips exist', () => {
    expect(routes.map(shortTitle)).toEqual(expect.arrayContaining(Object.keys(otherTrips)));
  });
});

test('the documented message of a counting operation is that of its example', () => {
  const shown = routes.map(documentedMessage);
  const { ImportReport } = document.components.schemas;
  const [made] = importMessages(ImportReport.examples[0]);
  expect(shown).toContain(made);
  expect(shown.filter((message) => message?.endsWith(', 1 entry removed.'))).toHaveLength(4);
});

describe('each resource of the contract', () => {
  test.each(Object.entries(resources))(
    '%s has its fields with their types',
    (_, [path, fields]) => {
      const answer = resolved(document.paths[path].get.responses[200]);
      const list = wholeSchema(answer.content['application/json'].schema);
      const { properties, required } = wholeSchema(list.properties.data.items);
      for (const field of fields.split(/\s+/)) {
        const [name = '', type = ''] = field.split(':');
        const types = type.endsWith('?') ? [type.slice(0, -1), 'null'] : [type];
        const documented = properties[name] ? typesOf(properties[name]) : [];
        for (const one of types)
          expect([name, documented]).toEqual([name, expect.arrayContaining([one])]);
        expect(required).toContain(name);
      }
    },
  );
});
