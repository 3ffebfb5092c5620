import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { costOf, ok, send } from '../support/client.ts';
import {
  makeExperiment,
  makeGate,
  makeHoldout,
  makeLayer,
  makeSegment,
  unique,
} from '../support/factories.ts';
import { recordingDatabase } from '../support/watch.ts';
import { stepsOf } from '../support/work.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const unit = (index: number) => `u${String(index).padStart(6, '0')}`;
const keys = (count: number, value: unknown = 1) =>
  Object.fromEntries(many(count, (index) => [unit(index), value]));
const rule = (conditions: unknown[]) => ({ name: unique('Rule'), passPercentage: 1, conditions });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** A pattern of nearly 1,000 characters. */
const pattern = 'a[b-d]{3}(?:x|y)'.repeat(60);

/** Paths of overrides and ID lists, and a group of the experiment. */
const has = { gate: '', layer: '', experiment: '', group: '', segment: '' };

beforeAll(async () => {
  const { id, groups } = await makeExperiment();
  Object.assign(has, {
    gate: `gates/${(await makeGate()).id}/overrides`,
    layer: `layers/${(await makeLayer()).id}/overrides`,
    segment: `segments/${(await makeSegment({ type: 'id_list' })).id}/id_list`,
    experiment: `experiments/${id}/overrides`,
    group: groups[0].id,
  });
});

type Kind = [
  what: string,
  path: () => string,
  most: number,
  body: (count: number) => object | string,
];

const named = (body: object) => ({ name: unique('Work'), ...body });
const at = (path: string) => () => path;
const gates = at('gates');
const configs = at('dynamic_configs');
const experiments = at('experiments');

/** Bodies of up to 1 MiB: a label, the path, the number of parts, and a function that creates the body. */
const kinds: Kind[] = [
  ['tags', gates, 90_000, (n) => named({ tags: many(n, unit) })],
  ['rules', gates, 14_000, (n) => named({ rules: many(n, () => rule([{ type: 'public' }])) })],
  ['faults', gates, 340_000, (n) => named({ rules: many(n, () => ({})) })],
  [
    'faults of few rules',
    gates,
    300_000,
    (n) => named({ rules: many(400, () => ({ conditions: many(n / 400, () => ({})) })) }),
  ],
  [
    'faults in a text',
    experiments,
    340_000,
    (n) => named({ inlineTargetingRulesJSON: JSON.stringify(many(n, () => ({}))) }),
  ],
  [
    'faults of events',
    at('events'),
    300_000,
    (n) => ({ events: many(1000, () => ({ name: many(n / 1000, () => ({})) })) }),
  ],
  [
    'conditions',
    gates,
    25_000,
    (n) => named({ rules: many(n / 100, () => rule(many(100, () => ({ type: 'public' })))) }),
  ],
  [
    'targets',
    gates,
    90_000,
    (n) =>
      named({
        rules: many(10, () =>
          rule([{ type: 'user_id', operator: 'any', targetValue: many(n / 10, unit) }]),
        ),
      }),
  ],
  [
    'patterns',
    gates,
    900,
    (n) =>
      named({
        rules: many(3, () =>
          rule(
            many(n / 3, () => ({ type: 'email', operator: 'str_matches', targetValue: pattern })),
          ),
        ),
      }),
  ],
  [
    'references',
    gates,
    20_000,
    (n) =>
      named({
        rules: many(50, (r) =>
          rule(
            many(n / 50, (index) => ({ type: 'passes_gate', targetValue: unit(r * 1000 + index) })),
          ),
        ),
      }),
  ],
  [
    'groups',
    experiments,
    20_000,
    (n) => named({ groups: many(n, (index) => ({ name: unit(index), size: 100 / n })) }),
  ],
  [
    'values of groups',
    experiments,
    60_000,
    (n) =>
      named({
        groups: many(100, (index) => ({
          name: unit(index),
          size: 1,
          parameterValues: keys(n / 100),
        })),
      }),
  ],
  [
    'ids',
    () => has.gate,
    90_000,
    (n) => ({
      passingUserIDs: many(n / 2, unit),
      failingUserIDs: many(n / 2, (index) => `v${index}`),
    }),
  ],
  [
    'ids on both sides',
    () => has.gate,
    90_000,
    (n) => ({
      passingUserIDs: many(n / 2, unit),
      failingUserIDs: many(n / 2, (index) => unit(n / 2 - index - 1)),
    }),
  ],
  [
    'overrides of one key',
    () => has.experiment,
    80_000,
    (n) => ({
      userIDOverrides: many(1000, (entry) => ({
        groupID: has.group,
        ids: many(n / 1000, (index) => unit(entry * 1000 + index)),
      })),
    }),
  ],
  [
    'overrides of a layer',
    () => has.layer,
    40_000,
    (n) => ({
      idOverrides: many(1000, (entry) => ({
        groupName: 'Control',
        environment: unit(entry),
        experimentName: 'none',
        ids: many(n / 1000, unit),
      })),
    }),
  ],
  ['ids of a segment', () => has.segment, 90_000, (n) => ({ add: many(n, unit) })],
  [
    'ids to add and remove',
    () => has.segment,
    90_000,
    (n) => ({ add: many(n / 2, unit), remove: many(n / 2, (index) => `v${index}`) }),
  ],
  ['letters', gates, 1_000_000, (n) => named({ description: 'x'.repeat(n) })],
  ['letters of a team', gates, 1_000_000, (n) => named({ team: 'x'.repeat(n) })],
  ['nesting', gates, 500_000, (n) => `{"name":"Nested","x":${nested(n)}}`],
  ['brackets', configs, 330_000, (n) => named({ defaultValue: { a: many(n / 2, () => []) } })],
  ['numbers', configs, 500_000, (n) => named({ defaultValue: { a: many(n, () => 1) } })],
  ['keys', configs, 80_000, (n) => named({ defaultValue: keys(n) })],
  [
    'keys in keys',
    configs,
    80_000,
    (n) => named({ defaultValue: { a: keys(n / 2), b: keys(n / 2) } }),
  ],
  ['unknown keys', gates, 80_000, (n) => keys(n)],
  ['JSON5', configs, 1_000_000, (n) => named({ defaultValueJson5: `{/*${' '.repeat(n)}*/}` })],
  [
    'JSON5 as far as it is read',
    configs,
    99_000,
    (n) => named({ defaultValueJson5: `{a:[${many(n / 2, () => 1).join()}]}` }),
  ],
  [
    'schemas',
    configs,
    60_000,
    (n) => named({ schema: JSON.stringify({ properties: keys(n, {}) }) }),
  ],
  [
    'schemas as far as they are read',
    configs,
    6000,
    (n) => named({ schema: JSON.stringify({ properties: keys(n, {}) }), defaultValue: keys(n) }),
  ],
  [
    'parameters',
    at('param_stores'),
    12_000,
    (n) =>
      named({
        description: '',
        displayName: 'S',
        parameters: many(n, (index) => ({
          name: unit(index),
          ref_type: 'static',
          param_type: 'number',
          value: 1,
        })),
      }),
  ],
  [
    'members',
    at('holdouts'),
    10_000,
    (n) =>
      named({
        isEnabled: true,
        description: '',
        passPercentage: 1,
        isGlobal: false,
        experimentIDs: [],
        layerIDs: [],
        targetingGateID: '',
        gateIDs: [],
        promptIDs: many(n, unit),
      }),
  ],
  [
    'metadata',
    at('events'),
    500_000,
    (n) => ({
      events: many(1000, (index) => ({
        name: unit(index),
        metadata: { a: many(n / 1000, () => 1) },
      })),
    }),
  ],
];

/** Steps that a response to a body of 1 MiB may take: it takes 1 to 32 for each letter. */
const maxSteps = 30_000_000;

/** Sends a body, and returns the steps of its response and the rows of the database that it read and wrote. */
async function workOf(path: string, body: object | string, bindings = {}) {
  const method = /id_list|holdouts\//.test(path) ? 'PATCH' : 'POST';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  expect(text.length).toBeLessThan(1024 * 1024);
  let rows = 0;
  const steps = await stepsOf(async () => {
    const response = await send(method, path, { body: text, bindings });
    expect(response.status, `${method} ${path}`).toBeLessThan(500);
    const { read, written } = costOf(response);
    rows = read + written;
  });
  return { steps, rows };
}

describe('the work for a large body', () => {
  test.each(kinds)(
    'a body of 1 MiB with many %s takes twice the work of half as many',
    async (_, path, count, body) => {
      const half = await workOf(path(), body(count / 2));
      const whole = await workOf(path(), body(count));
      expect(whole.steps).toBeLessThan(maxSteps);
      expect(whole.steps / half.steps).toBeLessThan(2.5);
      expect(whole.rows).toBeLessThanOrEqual(2.5 * half.rows);
    },
  );

  test('an ID list has at most 100,000 IDs after adding many', async () => {
    expect((await ok('GET', has.segment)).count).toBeLessThanOrEqual(100_000);
  });
});

test('10,000 unknown IDs are looked up in the revisions, because rows of gates may be large', async () => {
  const { id } = await makeHoldout();
  const { DB, sent } = recordingDatabase(env.DB);
  const { rows } = await workOf(`holdouts/${id}`, { gateIDs: many(10_000, unit) }, { DB });
  expect(rows).toBeLessThan(50_000);
  const lookups = sent.filter(
    ({ sql, params }) =>
      sql.includes('from "gates"') && params.some((one) => String(one).length > 50_000),
  );
  expect(lookups.length).toBeGreaterThan(0);
  for (const { sql, params } of lookups) {
    const plan = env.DB.prepare(`explain query plan ${sql}`).bind(...params);
    const { results } = await plan.all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join('\n')).toContain('SEARCH revisions');
  }
});
