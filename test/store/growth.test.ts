import { describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import {
  makeDynamicConfig,
  makeExperiment,
  makeGate,
  makeLayer,
  makeParamStore,
  makeSegment,
} from '../support/factories.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const nameOf = (index: number) => `n${index}`;
const object = (count: number, value: unknown) =>
  Object.fromEntries(many(count, (index) => [nameOf(index), value]));

const rules = many(500, (index) => ({
  name: nameOf(index),
  passPercentage: 1,
  conditions: [{ type: 'user_id', operator: 'any', targetValue: many(20, nameOf) }],
}));

/** Creates an entity of the maximum size, and returns its path. */
const largest: [kind: string, make: () => Promise<string>][] = [
  [
    'a gate',
    async () => {
      const { id } = await makeGate({ rules, tags: many(100, nameOf) });
      const half = (prefix: string) => many(25_000, (index) => `${prefix}${index}`);
      await ok('POST', `gates/${id}/overrides`, {
        passingUserIDs: half('p'),
        failingUserIDs: half('f'),
      });
      return `gates/${id}`;
    },
  ],
  [
    'a dynamic config',
    async () =>
      `dynamic_configs/${(await makeDynamicConfig({ defaultValue: object(10_000, 1), rules })).id}`,
  ],
  [
    'a segment',
    async () => {
      const { id } = await makeSegment({ type: 'id_list' });
      for (const prefix of ['a', 'b'])
        await ok('PATCH', `segments/${id}/id_list`, {
          add: many(40_000, (index) => `${prefix}${index}`),
        });
      return `segments/${id}`;
    },
  ],
  [
    'an experiment on a layer',
    async () => {
      const parameters = many(200, (index) => ({
        name: nameOf(index),
        type: 'number',
        defaultValue: 1,
      }));
      const { id: layerID } = await makeLayer({ parameters });
      const groups = many(100, (index) => ({
        name: nameOf(index),
        size: 1,
        parameterValues: object(200, index),
      }));
      return `experiments/${(await makeExperiment({ layerID, groups })).id}`;
    },
  ],
  [
    'a layer',
    async () => {
      const parameters = many(1000, (index) => ({
        name: nameOf(index),
        type: 'number',
        defaultValue: 1,
      }));
      return `layers/${(await makeLayer({ parameters })).id}`;
    },
  ],
];

describe('an entity of the maximum size', () => {
  test.each(largest)(
    '%s of the maximum size can be changed, deleted and restored',
    async (_, make) => {
      const path = await make();
      await ok('PATCH', path, { description: 'Still changed.' });
      if (/gates|dynamic_configs/.test(path))
        for (const move of ['archive', 'unarchive']) await ok('PUT', `${path}/${move}`);
      const { version } = await ok('GET', path).then((data) => data);
      await ok('DELETE', path);
      await ok('PUT', `${path}/versions/${version}/restore`);
      expect((await ok('GET', path)).description).toBe('Still changed.');
      await ok('DELETE', path);
    },
  );

  test('deleting a referenced config of the maximum size is 409', async () => {
    const { id } = await makeDynamicConfig({
      id: 'c'.repeat(100),
      defaultValue: object(10_000, 1),
    });
    await makeParamStore({
      parameters: [
        {
          name: 'p',
          ref_type: 'dynamic_config',
          param_type: 'number',
          config_name: id,
          param_name: 'n9999',
        },
      ],
    });
    const refused = await call('DELETE', `dynamic_configs/${id}`);
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/in_use']);
    expect(
      (await call('PATCH', `dynamic_configs/${id}`, { body: { defaultValue: {} } })).status,
    ).toBe(409);
  });

  test('an entity with 10,000 unknown references is 400 and lists 100 of them', async () => {
    const { id: layerID } = await makeLayer({ id: 'l'.repeat(100) });
    const groups = many(10, (index) => ({
      name: nameOf(index),
      size: 10,
      parameterValues: object(1000, 1),
    }));
    const { status, body } = await call('POST', 'experiments', {
      body: { name: 'Refers to nothing', id: 'e'.repeat(100), layerID, groups },
    });
    expect([status, body.type, body.errors.length]).toEqual([
      400,
      '/problems/unknown_reference',
      100,
    ]);
    expect(body.message).toMatch(/\(and \d+ more\)/);
  });
});
