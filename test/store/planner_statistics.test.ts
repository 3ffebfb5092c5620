import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { gates } from '../../src/flags/gates/table.ts';
import worker from '../../src/index.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { dropStatistics } from '../../src/platform/store/sql/planner_statistics.ts';
import { call, costOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeGate } from '../support/factories.ts';
import { multiply } from '../support/seed.ts';

describe('planner statistics', () => {
  beforeAll(async () => {
    await emptyDatabase();
    await makeGate();
    await multiply(gates, 999);
  });

  const rowsRead = async () => costOf(await call('GET', 'audit_logs?actorName=Nobody')).read;

  test.each([
    'analyze',
    'pragma optimize = 0x10002', // all tables, as if the schema had changed
  ])(
    'planner statistics from "%s", which make lists read whole tables, are removed by the next scheduled run',
    async (sql) => {
      const before = await rowsRead();
      await env.DB.prepare(sql).run();
      expect(await rowsRead()).toBeGreaterThan(1000);
      await worker.scheduled(createScheduledController(), env);
      expect(await rowsRead()).toBe(before);
    },
  );

  test('planner statistics are removed completely by two concurrent runs', async () => {
    const rowsReadOn = async () => {
      const { body } = await call('GET', 'gates?status=Disabled&status=In+Progress&limit=10');
      return costOf(await call('GET', body.pagination.nextPage)).read;
    };
    const before = await rowsReadOn();
    await env.DB.prepare('analyze').run();
    expect(await rowsReadOn()).toBeGreaterThan(before);
    const drop = () => dropStatistics(openDatabase(env.DB, 'first-primary'));
    await Promise.all([drop(), drop()]);
    expect(await rowsReadOn()).toBe(before);
  });

  test('removing planner statistics reads and writes no rows if there are none', async () => {
    const db = openDatabase(env.DB, 'first-primary');
    await dropStatistics(db);
    const { trips, rowsRead, rowsWritten } = db.meter;
    expect({ trips, rowsRead, rowsWritten }).toEqual({ trips: 1, rowsRead: 0, rowsWritten: 0 });
  });
});
