import { beforeAll, expect, test } from 'vitest';
import { gates } from '../../src/flags/gates/table.ts';
import { call, costOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeGate } from '../support/factories.ts';
import { checkInvariants } from '../support/invariants.ts';
import { multiply } from '../support/seed.ts';

/** So many that recording one change of all of them takes several statements. */
const count = 3000;

beforeAll(async () => {
  await emptyDatabase();
  await makeGate({ id: 'model', name: 'Model', tags: ['before'] });
  await multiply(gates, count - 1);
});

test('renaming a tag of thousands of gates has the same cost for each gate', async () => {
  const renamed = await call('PATCH', 'tags/before', { body: { name: 'after' } });
  expect(renamed.status).toBe(200);
  const { read, written } = costOf(renamed);
  expect(read / count).toBeLessThan(20);
  expect(written / count).toBeLessThan(15);
  expect((await call('GET', 'gates?tags=after')).body.pagination.totalItems).toBe(count);
  await checkInvariants();
});
