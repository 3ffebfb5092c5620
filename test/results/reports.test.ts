import { beforeEach, describe, expect, test } from 'vitest';
import { call, costOf, invalidPropertiesOf, ok, send, textOf } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, makeKey } from '../support/factories.ts';
import { exampleID, loadExample, metricID } from './example.ts';

beforeEach(emptyDatabase);

/** Returns the lines of a table as objects. */
async function tableAt(path: string) {
  const response = await send('GET', path);
  const text = await textOf(response);
  expect([response.status, response.headers.get('Content-Type')]).toEqual([
    200,
    'text/csv; charset=utf-8; header=present',
  ]);
  const [names = '', ...lines] = text.split('\r\n');
  expect(lines.pop()).toBe('');
  const rows = lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.split(',').map((name, place) => [name, cells[place]]));
  });
  return { names: names.split(','), rows, cost: costOf(response) };
}

async function report(type: string, date: string) {
  const { url } = await ok('GET', `reports?type=${type}&date=${date}`);
  return tableAt(url);
}

describe('a report', () => {
  test('of first exposures has each unit that was first exposed on the day, of all kinds', async () => {
    await loadExample();
    const { id } = await makeGate({
      measureMetricLifts: true,
      rules: [{ id: 'r1', name: 'R', passPercentage: 10, conditions: [{ type: 'public' }] }],
    });
    const of = { kind: 'gate' as const, id, unitType: 'userID', unit: 'u, "1"' };
    const time = Date.now();
    await ok('POST', 'exposures', { exposures: [{ ...of, group: 'r1:on', time }] });
    const { names, rows } = await report('first_exposures', '2026-01-01');
    expect(names).toEqual([
      ...['date', 'kind', 'id', 'start', 'unitType', 'unitID', 'group', 'firstTime'],
    ]);
    expect(rows).toHaveLength(120);
    expect(rows[0]).toEqual({
      ...{ date: '2026-01-01', kind: 'experiment', id: exampleID, unitType: 'userid' },
      ...{ start: '1767225600000', unitID: 'u-0', group: 'control', firstTime: '1767225600000' },
    });
    const today = new Date(time).toISOString().slice(0, 10);
    const { url } = await ok('GET', `reports?type=first_exposures&date=${today}`);
    const text = await textOf(await send('GET', url));
    expect(text.split('\r\n')[1]).toContain(',userid,"u, ""1""",r1:on,');
    expect((await report('first_exposures', '2026-01-02')).rows).toEqual([]);
  });

  test('of results has each metric of each experiment, for each test group', async () => {
    await loadExample();
    await makeExperiment();
    const { rows } = await report('pulse_daily', '2026-01-02');
    const path = `experiments/${exampleID}/pulse_results?control=control&test=test&date=2026-01-02`;
    const [result] = (await ok('GET', path)).primaryMetrics;
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ experimentID: exampleID, ds: '2026-01-02', metricID });
    expect(Number(rows[0]?.pValue)).toBe(result.pValue);
    expect(Number(rows[0]?.testUnits)).toBe(60);
    expect((await report('pulse_daily', '2025-12-31')).rows).toEqual([]);
  });

  test('of the topline impact has what the groups change of the daily totals', async () => {
    await loadExample();
    const { names, rows } = await report('topline_impact_daily', '2026-01-02');
    expect(names).toEqual([
      ...['experimentID', 'ds', 'metricID', 'metricName', 'control', 'test'],
      ...['testUnits', 'controlUnits', 'absoluteToplineImpact', 'absoluteToplineImpactDelta'],
      ...['relativeToplineImpact', 'relativeToplineImpactDelta'],
      ...['projectedAbsoluteToplineImpact', 'projectedAbsoluteToplineImpactDelta'],
      ...['projectedRelativeToplineImpact', 'projectedRelativeToplineImpactDelta'],
    ]);
    const path = `experiments/${exampleID}/pulse_results?control=control&test=test&date=2026-01-02`;
    const [result] = (await ok('GET', path)).primaryMetrics;
    expect(Number(rows[0]?.absoluteToplineImpact)).toBe(result.absoluteToplineImpact);
    expect(rows[0]?.relativeToplineImpact).toBe('');
  });

  test('is 400 for an unknown type, a missing date, and one in the future', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const wrong: [query: string, property: string][] = [
      ['date=2026-01-01', 'type'],
      ['type=weekly&date=2026-01-01', 'type'],
      ['type=pulse_daily', 'date'],
      ['type=pulse_daily&date=2026-02-30', 'date'],
      [`type=pulse_daily&date=${tomorrow}`, 'date'],
      ['type=pulse_daily&date=2026-01-01&page=1', 'page'],
    ];
    for (const [query, property] of wrong)
      expect(await invalidPropertiesOf('GET', `reports?${query}`, undefined)).toEqual([property]);
    expect(await invalidPropertiesOf('GET', 'reports/pulse_daily', undefined)).toEqual(['date']);
    expect((await call('GET', 'reports/weekly?date=2026-01-01')).status).toBe(404);
    const { key } = await makeKey({ scopes: ['write'] });
    for (const path of ['reports?type=pulse_daily&date=2026-01-01', 'reports/pulse_daily'])
      expect((await call('GET', path, { key })).status).toBe(403);
  });
});

describe('the exposures of an experiment', () => {
  test('are a table of units, streamed in pages', async () => {
    await loadExample({}, 1);
    const many = Array.from({ length: 6000 }, (_, index) => ({
      ...{ kind: 'experiment' as const, id: exampleID, unitType: 'userID', group: 'control' },
      ...{ unit: `v-${index}`, time: Date.parse('2025-12-31T00:00:00Z') },
    }));
    for (let from = 0; from < many.length; from += 1000)
      await ok('POST', 'exposures', { exposures: many.slice(from, from + 1000) });
    const { names, rows, cost } = await tableAt(`experiments/${exampleID}/exposures`);
    expect(names).toEqual(['unitID', 'group', 'firstTime']);
    expect(new Set(rows.map(({ unitID }) => unitID)).size).toBe(6120);
    expect(rows.find(({ unitID }) => unitID === 'u-1')).toEqual({
      ...{ unitID: 'u-1', group: 'test', firstTime: '1767225660000' },
    });
    // An exposure before the start counts from the start.
    expect(rows.at(-1)).toMatchObject({ unitID: 'v-999', firstTime: '1767225600000' });
    expect(cost).toMatchObject({ trips: 2, written: 0 });
    expect(cost.read).toBeLessThanOrEqual(5050);
  });

  test('are 404 for an unknown experiment or run, and 409 before the start', async () => {
    const { id } = await makeExperiment();
    expect((await call('GET', 'experiments/none/exposures')).status).toBe(404);
    expect((await call('GET', `experiments/${id}/exposures`)).status).toBe(409);
    await ok('PUT', `experiments/${id}/start`);
    expect((await call('GET', `experiments/${id}/exposures?start=5`)).status).toBe(404);
    expect((await tableAt(`experiments/${id}/exposures`)).rows).toEqual([]);
  });
});
