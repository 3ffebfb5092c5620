import { env } from 'cloudflare:workers';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';

const dayLength = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');

export const exampleID = 'green_button';
export const metricID = 'Example revenue::sum';

/** Two groups of 60 units, of which a part buys for different amounts on the second day. */
const units = Array.from({ length: 120 }, (_, index) => ({
  unit: `u-${index}`,
  group: index % 2 === 0 ? 'control' : 'test',
  time: start + index * 60_000,
  buys: index % 5 < 2 + (index % 2),
  value: 10 + ((index * 7) % 23),
}));

/** Creates the experiment of the documented examples, and loads its first days. */
export async function loadExample(settings = {}, days = 2, client = {}): Promise<void> {
  const [name = '', type = ''] = metricID.split('::');
  await ok('POST', 'metrics', {
    ...{ name, type },
    metricEvents: [{ name: 'example_purchase', type: 'value' }],
  });
  await ok('POST', 'experiments', {
    name: 'Green button',
    primaryMetrics: [{ name, type }],
    preComputedUserDimensions: [{ name: 'country' }],
    groups: [
      { name: 'Control', id: 'control', size: 50 },
      { name: 'Test', id: 'test', size: 50 },
    ],
    ...settings,
  });
  await ok('PUT', `experiments/${exampleID}/start`, { startTime: start });
  await ok('POST', 'exposures', {
    exposures: units.map(({ unit, group, time }, index) => ({
      ...{ kind: 'experiment', id: exampleID, unitType: 'userID', unit, group, time },
      attributes: { country: index % 3 === 0 ? 'NZ' : 'US', ...client },
    })),
  });
  await ok('POST', 'events', {
    events: units
      .filter(({ buys }) => buys)
      .map(({ unit, value, time }) => ({
        ...{ name: 'example_purchase', userID: unit, value },
        timestamp: time + dayLength,
      })),
  });
  const now = start + days * dayLength + 7_200_000;
  for (let runs = 0; runs < 5 * days; runs++) {
    const db = openDatabase(env.DB, 'first-primary');
    await analyze({ db, now, left: () => ({ trips: 100 - db.meter.trips, ms: 10_000 }) });
  }
}

const pair = 'control=control&test=test';

/** The requests whose responses are the documented examples. */
const exampleRequests: Record<string, string> = {
  pulse: `experiments/${exampleID}/pulse_results?${pair}&date=2026-01-02`,
  spark: `experiments/${exampleID}/pulse_sparks?${pair}`,
  groupExposures: `experiments/${exampleID}/cumulative_exposures`,
  health: `experiments/${exampleID}/health`,
};

/** Returns the responses of the example requests; the first of several, which is enough for a reader. */
export async function exampleResponses(): Promise<Record<string, unknown>> {
  const responses: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(exampleRequests)) {
    const data: unknown = await ok('GET', path);
    responses[name] = Array.isArray(data) ? data[0] : data;
  }
  return responses;
}
