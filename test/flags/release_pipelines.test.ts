import { describe, expect, test } from 'vitest';
import { call, invalidPropertiesOf, ok } from '../support/client.ts';
import {
  everyone,
  makeDynamicConfig,
  makeGate,
  makePipeline,
  makeSegment,
  passing,
  phase,
  unique,
} from '../support/factories.ts';

const put = (id: string, body: unknown) => call('POST', `release_pipelines/${id}`, { body });
const post = (body: unknown) => call('POST', 'release_pipelines', { body });
const propertiesOf = ({ body }: { body: { errors: { property: string }[] } }) =>
  body.errors.map(({ property }) => property);

describe('a new release pipeline', () => {
  test('stores every field of its body and reads it back', async () => {
    const body = {
      name: unique('Full'),
      id: `full_${Date.now()}`,
      description: 'Slow and careful.',
      tags: ['core', 'slow'],
      phases: [
        {
          id: 'canary',
          name: 'Canary',
          timeIntervalMs: 60_000,
          requiredReview: true,
          rules: [
            {
              name: 'Staff',
              passPercentage: 12.5,
              conditions: [
                { type: 'email', operator: 'str_contains_any', targetValue: ['@x.org'] },
              ],
              environments: ['production'],
              returnValue: { colour: 'green' },
            },
          ],
        },
        { id: 'all', name: 'All', timeIntervalMs: 0, requiredReview: false, rules: [] },
      ],
    };
    expect((await post(body)).data).toMatchObject(body);
    expect(await ok('GET', `release_pipelines/${body.id}`)).toMatchObject(body);
  });

  test('completes what its phases and rules leave out', async () => {
    const rule = { name: 'Everyone', conditions: [{ type: 'public' }] };
    const pipeline = await makePipeline({
      phases: [
        { name: 'All', timeIntervalMs: 1, rules: [rule] },
        { name: 'Rest', timeIntervalMs: 1 },
      ],
    });
    expect(pipeline).toMatchObject({ description: '', tags: [] });
    expect(pipeline.phases).toEqual([
      {
        id: expect.stringMatching(/./),
        name: 'All',
        timeIntervalMs: 1,
        requiredReview: false,
        rules: [{ ...rule, passPercentage: 100, environments: null }],
      },
      expect.objectContaining({ name: 'Rest', rules: [] }),
    ]);
  });

  test('needs only a name; without phases it releases nothing', async () => {
    const { status, data } = await post({ name: 'Later' });
    expect([status, data.phases]).toEqual([201, []]);
    const path = `release_pipelines/${data.id}`;
    const [gate, config] = [await makeGate(), await makeDynamicConfig()];
    for (const target of [{ gateID: gate.id }, { dynamicConfigID: config.id }]) {
      const body = { releasePipelineID: data.id, ...target };
      expect(await invalidPropertiesOf('POST', 'release_pipeline_triggers', body)).toEqual([
        'releasePipelineID',
      ]);
    }
    expect(await ok('PATCH', path, data)).toEqual(data);
    await ok('PATCH', path, { phases: [phase('Canary')] });
    const body = { releasePipelineID: data.id, gateID: gate.id };
    expect(await ok('POST', 'release_pipeline_triggers', body)).toMatchObject({
      currentPhase: 'Canary',
    });
  });

  test('is 400 without a name, and for phases that do not fit', async () => {
    const phases = [phase('Canary')];
    const name = 'Refused';
    const rule = { ...everyone, passPercentage: 100.5 };
    const cases: [object, string][] = [
      [{ phases }, 'name'],
      [{ name, phases: [{ timeIntervalMs: 1 }] }, 'phases.0.name'],
      [{ name, phases: [{ name: 'A' }] }, 'phases.0.timeIntervalMs'],
      [{ name, phases: [phase('A', { timeIntervalMs: -1 })] }, 'phases.0.timeIntervalMs'],
      [{ name, phases: [phase('A', { timeIntervalMs: 0.5 })] }, 'phases.0.timeIntervalMs'],
      [{ name, phases: [phase('A', { timeIntervalMs: 9e15 })] }, 'phases.0.timeIntervalMs'],
      [{ name, phases: [phase('A'), phase('A', { id: 'b' })] }, 'phases.1.name'],
      [{ name, phases: [phase('A'), phase('B', { id: 'a' })] }, 'phases.1.id'],
      [{ name, phases: [phase('A', { rules: [everyone, everyone] })] }, 'phases.0.rules.1.name'],
      [{ name, phases: [phase('A', { rules: [rule] })] }, 'phases.0.rules.0.passPercentage'],
      [
        { name, phases: [{ ...phase('A'), rules: [{ name: 'R' }] }] },
        'phases.0.rules.0.conditions',
      ],
    ];
    for (const [body, property] of cases) {
      const answer = await post(body);
      expect([property, answer.status]).toEqual([property, 400]);
      expect(propertiesOf(answer)).toEqual([property]);
    }
  });
});

describe('a stored release pipeline', () => {
  test('is replaced by a full update, and keeps the ids of its phases by name', async () => {
    const waiting = (name: string, id?: string) => ({ name, timeIntervalMs: 1, id });
    const { id, phases } = await makePipeline({
      description: 'Before',
      tags: ['before'],
      phases: [waiting('One'), waiting('Two')],
    });
    const [one, two] = phases;
    const again = [waiting('Two'), waiting('New'), waiting('One', 'own')];
    const { data } = await put(id, { name: 'After', phases: again });
    expect(data).toMatchObject({ id, name: 'After', description: '', tags: [], version: 2 });
    expect(data.phases[0].id).toBe(two.id);
    expect([one.id, two.id]).not.toContain(data.phases[1].id);
    expect(data.phases[2].id).toBe('own');
  });

  test('keeps what a partial update leaves out, and replaces its phases as a whole', async () => {
    const before = await makePipeline({ description: 'Before', tags: ['before'] });
    const path = `release_pipelines/${before.id}`;
    const described = await ok('PATCH', path, { description: 'After' });
    const { tags, phases, name } = before;
    expect(described).toMatchObject({ name, tags, phases, description: 'After', version: 2 });
    const again = [{ name: 'All', timeIntervalMs: 5 }];
    const { data } = await call('PATCH', path, { body: { phases: again } });
    expect(data.phases).toEqual([{ ...again[0], id: 'all', requiredReview: false, rules: [] }]);
    expect(data).toMatchObject({ description: 'After', tags });
    const wrong = await call('PATCH', path, { body: { phases: null } });
    expect(propertiesOf(wrong)).toEqual(['phases']);
  });

  test('gives no phase the id that another one of the body asks for', async () => {
    const { id } = await makePipeline({ phases: [phase('A')] });
    const swapped = [phase('B', { id: 'a' }), phase('A', { id: undefined })];
    const { data } = await put(id, { name: 'Swapped', phases: swapped });
    expect(data.phases[0].id).toBe('a');
    expect(data.phases[1].id).not.toBe('a');
  });

  test('refers to what its rules name: unknown is 400, and it cannot be deleted', async () => {
    const gate = await makeGate();
    const segment = await makeSegment();
    const inSegment = { type: 'passes_segment', targetValue: segment.id };
    const rules = [passing(gate.id), { ...everyone, conditions: [inSegment] }];
    const pipeline = await makePipeline({ phases: [phase('A'), phase('B', { rules })] });
    for (const path of [`gates/${gate.id}`, `segments/${segment.id}`]) {
      const { status, body } = await call('DELETE', path);
      expect(status).toBe(409);
      expect(body.references).toMatchObject([{ kind: 'release_pipeline', id: pipeline.id }]);
    }
    const answer = await post({
      name: 'Lost',
      phases: [phase('A', { rules: [passing('nowhere')] })],
    });
    expect(answer.status).toBe(400);
    expect(propertiesOf(answer)).toEqual(['phases.0.rules.0.conditions.0.targetValue']);
  });

  test('cannot be deleted while a gate uses it', async () => {
    const { id } = await makePipeline();
    const gate = await makeGate({ releasePipelineID: id });
    const { status, body } = await call('DELETE', `release_pipelines/${id}`);
    expect(status).toBe(409);
    expect(body.references).toMatchObject([{ kind: 'gate', id: gate.id }]);
  });

  test('comes back after its removal, and is listed by tag', async () => {
    const { id, phases } = await makePipeline({ tags: ['comes_back'] });
    await ok('DELETE', `release_pipelines/${id}`);
    expect(await ok('GET', 'release_pipelines?tags=comes_back')).toEqual([]);
    const restored = await ok('PUT', `release_pipelines/${id}/versions/1/restore`);
    expect(restored).toMatchObject({ id, phases, version: 3 });
    expect(await ok('GET', 'release_pipelines?tags=comes_back')).toEqual([restored]);
  });
});
