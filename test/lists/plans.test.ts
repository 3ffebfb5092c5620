import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { call, each } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { type Fixture, fixtures } from '../support/factories.ts';
import { shapeOf } from '../support/shapes.ts';
import { recordingDatabase, type Sent } from '../support/watch.ts';

/** A query parameter in JSON Schema. */
interface Parameter {
  type?: string;
  format?: string;
  enum?: string[];
  items?: Parameter;
}

function parametersOf({ parts }: Route): Record<string, Parameter> {
  const schema = parts.find(({ target }) => target === 'query')?.schema;
  if (!schema) return {};
  const { properties, $defs } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  const named: Record<string, object> = JSON.parse(JSON.stringify($defs ?? {}));
  return JSON.parse(JSON.stringify(properties), (_, value) =>
    typeof value?.$ref === 'string' ? named[value.$ref.split('/').at(-1) ?? ''] : value,
  );
}

/** Returns a valid value of a parameter. */
function exampleOf({ type, format, enum: values, items }: Parameter): string {
  if (items) return exampleOf(items);
  if (values?.[0]) return values[0];
  if (type === 'boolean') return 'true';
  return format === 'date' ? '2026-01-01' : 'some';
}

const paging = ['page', 'limit', 'after', 'before', 'sortKey', 'sortOrder'];

/** Returns each filter of a list with one value, and with two if it accepts several. */
function filtersOf(route: Route): string[] {
  const parameters = Object.entries(parametersOf(route));
  return parameters
    .filter(([name]) => !paging.includes(name))
    .filter(([name]) => !(route.path.endsWith('/values') && together.includes(name)))
    .flatMap(([name, parameter]) => {
      const one = `${name}=${encodeURIComponent(exampleOf(parameter))}`;
      return parameter.type === 'array' ? [one, `${one}&${one}`] : [one];
    });
}

function sortsOf(route: Route): string[] {
  const { sortKey } = parametersOf(route);
  const orders = (key: string) =>
    ['asc', 'desc'].map((order) => `sortKey=${key}&sortOrder=${order}`);
  return (sortKey?.enum ?? []).flatMap(orders);
}

/** Returns the steps of the query plan of a statement. */
async function planOf({ sql, params }: Sent): Promise<string[]> {
  const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...params);
  const { results } = await plan.all<{ detail: string }>();
  return results.map(({ detail }) => detail);
}

/** Scans of parameters, search words and earlier results instead of tables. */
const overNoTable =
  /^SCAN (CONSTANT ROW|\(subquery-\d+\)|narrowest|halving|waiting|json_each VIRTUAL|search VIRTUAL TABLE INDEX 0:M)/;

const scansOf = (plan: string[]) =>
  plan.filter((step) => step.startsWith('SCAN') && !overNoTable.test(step));

/** Returns the statements of a list with their query plans. */
async function plansOf(path: string) {
  const { DB, sent } = recordingDatabase(env.DB);
  const answer = await call('GET', path, { bindings: { DB } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(sent.length).toBeGreaterThan(1);
  return Promise.all(sent.map(async (one) => ({ sql: one.sql, plan: await planOf(one) })));
}

/** Filters that match everything. */
const ofAll = ['includeArchived=true', 'search=+'];

/** Parameters that must be used together. */
const together = ['startDate', 'endDate'];

/** Lists of names, which read all registered names. */
const ofNames = /\/(tags|teams|target_apps|unit_id_types|users)$/;

const lists = each(
  ({ method, path, operation }) =>
    method === 'GET' && 'pagination' in shapeOf(operation.response) && !ofNames.test(path),
);

const hiding = lists.filter(
  ([, route]) => 'includeArchived' in parametersOf(route) && !route.path.includes(':'),
);

/** The fixture of a release creates only one version. */
const linked = lists.filter(([, { path }]) => !path.endsWith('triggers/:id/versions'));

/** Creates entities, and returns the path of their list, to which a query can be appended. */
const pathOf = ({ path }: Route, { id = '', query = '?' }: Fixture) =>
  `${path.replace(/:(id|name)\b/, encodeURIComponent(id))}${query}`;

describe('no list reads through a whole table', () => {
  beforeAll(emptyDatabase);

  test.each(lists)('%s scans no table for any single filter', async (_, route) => {
    const fixture = await fixtures(route);
    const path = pathOf(route, fixture);
    const given = [...ofAll, fixture.query?.slice(1)];
    for (const filter of filtersOf(route).filter((each) => !given.includes(each)))
      for (const { sql, plan } of await plansOf(`${path}&${filter}`))
        expect(scansOf(plan), `${filter}: ${sql}`).toEqual([]);
  });

  test.each(lists)('%s is sorted by an index in each order', async (_, route) => {
    const path = pathOf(route, await fixtures(route));
    for (const order of ['', ...sortsOf(route)])
      for (const { sql, plan } of await plansOf(`${path}&${order}`)) {
        const isWalk = sql.includes('order by') && !plan.join().includes('TEMP B-TREE');
        expect(isWalk ? [] : scansOf(plan), `${order}: ${sql}`).toEqual([]);
      }
  });

  test.each(hiding)('%s with archived entities is sorted by an index', async (_, route) => {
    for (const order of ['', ...sortsOf(route)])
      for (const { sql, plan } of await plansOf(`${route.path}?includeArchived=true&${order}`)) {
        const walked = scansOf(plan);
        expect(walked.length).toBeLessThanOrEqual(sql.includes('order by') ? 1 : 0);
        for (const step of walked)
          expect(step).toMatch(/USING INDEX \w+_(newest|sortName|modified)$/);
      }
  });

  test.each(linked)('%s scans no table for the pages of its links', async (_, route) => {
    const fixture = await fixtures(route);
    for (let count = 0; count < 2; count++) await fixture.populate?.();
    const path = pathOf(route, fixture);
    for (const order of ['', ...sortsOf(route)]) {
      const { body } = await call('GET', `${path}&limit=1&${order}`);
      for (const { sql, plan } of await plansOf(body.pagination.nextPage))
        expect(scansOf(plan), `${order}: ${sql}`).toEqual([]);
    }
  });
});
