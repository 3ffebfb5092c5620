import { describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import { makeIngestionSource, unique } from '../support/factories.ts';

const create = (body: unknown) => call('POST', 'ingestion', { body });
const patch = (body: unknown, headers = {}) => call('PATCH', 'ingestion', { body, headers });
const read = (id: string) => ok('GET', `ingestion/${encodeURIComponent(id)}`);
const remove = (query: Record<string, string>, headers = {}) =>
  call('DELETE', `ingestion?${new URLSearchParams(query)}`, { headers });

const mapping = {
  unit_id: 'user',
  id_type: 'kind',
  dateid: 'day',
  metric_name: 'metric',
  metric_value: 'value',
  numerator: 'n',
  denominator: 'd',
};
const full = {
  dataset: 'Metrics',
  type: 'databricks',
  column_mapping: mapping,
  source_name: 'full',
  query: 'SELECT 1',
  share: 'share',
  schema: 'public',
  table: 'metrics',
  enabled: false,
};

describe('an ingestion source', () => {
  test('reads back with every value it was created with', async () => {
    const answer = await create(full);
    expect(answer.headers.get('Location')).toBe(
      '/console/v1/ingestion/Metrics%3Adatabricks%3Afull',
    );
    expect(await read('Metrics:databricks:full')).toMatchObject(full);
  });

  test('gets defaults for absent properties', async () => {
    const { data } = await create({ dataset: 'Metrics', type: 'athena' });
    expect(data).toMatchObject({
      source_name: '',
      column_mapping: {},
      query: '',
      share: '',
      schema: '',
      table: '',
      enabled: true,
      version: 1,
    });
  });

  test.each(['dataset', 'type'])('is refused without %s', async (property) => {
    const body = { ...full, source_name: unique('source'), [property]: undefined };
    for (const answer of [await create(body), await patch(body)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].property).toBe(property);
    }
  });

  test.each([
    ['dataset', 'Events'],
    ['type', 'mysql'],
    ['column_mapping', 'user'],
    ['column_mapping.unit_id', 7],
    ['source_name', 'x'.repeat(201)],
    ['source_name', 'a\nb'],
    ['query', null],
    ['enabled', 'yes'],
  ])('is refused with %s %j', async (property, value) => {
    const [first = '', second] = property.split('.');
    const body = { ...full, [first]: second ? { [second]: value } : value };
    for (const answer of [await create(body), await patch(body)]) {
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].property).toBe(property);
    }
  });

  test.each([
    'redshift',
    'bigquery-v2',
    'snowflake-v2',
    'databricks',
    'azure-synapse',
    's3',
    'athena',
    'adls',
  ])('can be of type %s, beside one of the same name of another type', async (type) => {
    const { data } = await create({ ...full, type, source_name: 'of every type' });
    expect(data.type).toBe(type);
  });

  test('has a unique name within its dataset and type', async () => {
    const { source_name } = await makeIngestionSource();
    const { status } = await create({ dataset: 'Metrics', type: 's3', source_name });
    expect(status).toBe(409);
  });

  test('is listed by dataset and by type', async () => {
    const { id } = await makeIngestionSource({ type: 'adls' });
    const ids = async (query: string) =>
      (await ok('GET', `ingestion?${query}`)).map((source: { id: string }) => source.id);
    expect(await ids('type=adls')).toContain(id);
    expect(await ids('dataset=Metrics')).toContain(id);
    expect(await ids('type=redshift')).not.toContain(id);
    expect((await call('GET', 'ingestion?type=mysql')).status).toBe(400);
  });
});

describe('a partial update of an ingestion source', () => {
  test('returns the bare source with its ETag, for a change and a creation', async () => {
    const body = { dataset: 'Metrics', type: 's3', source_name: unique('source') };
    const created = await patch(body);
    expect([created.status, created.headers.get('ETag')]).toEqual([200, '"1"']);
    expect(created.body).toMatchObject({ ...body, enabled: true, version: 1 });
    expect(created.body).not.toHaveProperty('message');
    const changed = await patch({ ...body, enabled: false });
    expect([changed.status, changed.headers.get('ETag')]).toEqual([200, '"2"']);
    expect(changed.body).toMatchObject({ ...body, enabled: false, version: 2 });
  });

  test('keeps absent properties, and merges the mapping column by column', async () => {
    const body = { ...full, source_name: unique('source') };
    await create(body);
    const { dataset, type, source_name } = body;
    const identity = { dataset, type, source_name };
    const answer = await patch({ ...identity, column_mapping: { unit_id: 'other' } });
    expect(answer.body).toMatchObject({
      ...body,
      column_mapping: { ...mapping, unit_id: 'other' },
    });
    expect((await patch(identity)).body.version).toBe(2);
  });

  test('without a name changes the source without a name', async () => {
    const unnamed = { dataset: 'Metrics', type: 'redshift' };
    const first = await patch({ ...unnamed, table: 'a' });
    const second = await patch({ ...unnamed, source_name: '', table: 'b' });
    expect(second.body.id).toBe(first.body.id);
    expect(second.body).toMatchObject({ table: 'b', version: 2 });
  });

  test('changes only under the version in If-Match, and creates nothing under one', async () => {
    const { source_name } = await makeIngestionSource();
    const body = { dataset: 'Metrics', type: 's3', source_name, enabled: false };
    expect((await patch(body, { 'If-Match': '"2"' })).status).toBe(412);
    expect((await patch(body, { 'If-Match': '"1"' })).status).toBe(200);
    const none = { ...body, source_name: unique('source') };
    expect((await patch(none, { 'If-Match': '*' })).status).toBe(412);
  });

  test('loses no value when two requests create one source concurrently', async () => {
    const body = { dataset: 'Metrics', type: 's3', source_name: unique('source') };
    await Promise.all([patch({ ...body, table: 'a' }), patch({ ...body, schema: 'b' })]);
    expect(await read(`Metrics:s3:${body.source_name}`)).toMatchObject({
      table: 'a',
      schema: 'b',
      version: 2,
    });
  });
});

describe('the removal of an ingestion source', () => {
  test('removes the source with that dataset, type and name, and restore recreates it', async () => {
    const kept = await makeIngestionSource();
    const { id, dataset, type, source_name } = await makeIngestionSource({ table: 'metrics' });
    const stale = await remove({ dataset, type, source_name }, { 'If-Match': '"2"' });
    expect(stale.status).toBe(412);
    expect((await remove({ dataset, type, source_name })).status).toBe(200);
    expect((await remove({ dataset, type, source_name })).status).toBe(404);
    expect((await read(kept.id)).version).toBe(1);
    const path = `ingestion/${encodeURIComponent(id)}`;
    await ok('PUT', `${path}/versions/1/restore`);
    expect(await read(id)).toMatchObject({ source_name, table: 'metrics', version: 3 });
  });

  test.each(['dataset', 'type'])('is refused without %s', async (property) => {
    const query = Object.entries({ dataset: 'Metrics', type: 's3', source_name: 'x' });
    const answer = await remove(Object.fromEntries(query.filter(([name]) => name !== property)));
    expect([answer.status, answer.body.errors[0].property]).toEqual([400, property]);
  });
});
