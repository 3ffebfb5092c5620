import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { runJob } from './end_to_end.ts';

const day = 86_400_000;
const start = Date.parse('2026-03-08T00:00:00Z');
const unitCount = 12_000;

beforeEach(emptyDatabase);

/** Exposes units with long app versions and SDK types. Every third unit has the same ones. */
async function expose() {
  const long = `replace(hex(zeroblob(120)), '00', '""')`;
  const attributesOf = (value: string) =>
    `json_object('appVersion', ${value}, 'sdkType', ${value}, 'plan', iif(i % 4 = 0, 'pro', 'free'))`;
  await env.DB.prepare(`insert into exposures (kind, id, start, unitType, unit, "group", firstTime, draw, attributes)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${unitCount - 1})
    select 'experiment', 'open', ${start}, 'userid', printf('u%06d', i), iif(i % 2 = 0, 'control', 'test'), ${start}, 0,
      ${attributesOf(`iif(i % 3 = 0, 'usual', ${long} || i)`)} from n`).run();
}

test('long and rare values of clients are counted together in a load of many chunks', async () => {
  const groups = ['control', 'test'].map((id) => ({ id, name: id, size: 50 }));
  const preComputedUserDimensions = [{ name: 'plan' }];
  await ok('POST', 'experiments', { name: 'open', id: 'open', groups, preComputedUserDimensions });
  await ok('PUT', 'experiments/open/start', { startTime: start });
  await expose();
  const largestRow = async () =>
    Number(await env.DB.prepare('select max(length(partial)) as n from analysis_runs').first('n'));
  const now = start + day + 7_200_000;
  const sizes: number[] = [];
  for (let runs = 0; runs < 12; runs++) {
    await runJob({ now, trips: 10, chunkSize: 4000 });
    sizes.push(await largestRow());
  }
  expect(Math.max(...sizes)).toBeGreaterThan(500_000);
  expect(Math.max(...sizes)).toBeLessThan(1_000_000);
  const { results } = await env.DB.prepare(
    `select dimension, iif(slice in ('usual', 'pro', 'free', '(other values)', ''), slice, 'long') as slice,
      sum(cumulative) as units from analysis_exposures group by 1, 2 order by 1, 2`,
  ).all<{ dimension: string; slice: string; units: number }>();
  const unitsOf = (dimension: string, slice: string) =>
    results.find((row) => row.dimension === dimension && row.slice === slice)?.units ?? 0;
  expect(unitsOf('', '')).toBe(unitCount);
  expect([unitsOf('plan', 'pro'), unitsOf('plan', 'free')]).toEqual([3000, 9000]);
  for (const dimension of ['appVersion', 'sdkType']) {
    expect(unitsOf(dimension, 'usual')).toBe(4000);
    expect(unitsOf(dimension, 'long')).toBe(19);
    expect(unitsOf(dimension, '(other values)')).toBe(7981);
  }
});
