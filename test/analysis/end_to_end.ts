import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import definitions from '../statistics/golden/end_to_end/definitions.json';
import eventsText from '../statistics/golden/end_to_end/events.csv?raw';
import expectedResults from '../statistics/golden/end_to_end/expected.json';
import exposuresText from '../statistics/golden/end_to_end/exposures.csv?raw';
import { ok } from '../support/client.ts';

/** Splits CSV whose fields have no line breaks. */
function rowsOf(text: string): string[][] {
  const field = /("(?:[^"]|"")*"|[^,]*)(?:,|$)/y;
  return text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => {
      const fields: string[] = [];
      field.lastIndex = 0;
      while (field.lastIndex < line.length) {
        const [, value = ''] = field.exec(line) ?? [];
        fields.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
      }
      return fields;
    });
}

export const expected = expectedResults;
export const { experiment, metrics } = definitions;

export const exposures = rowsOf(exposuresText).map(
  ([unitType, unit, group, time, country = '']) => ({
    ...{ kind: 'experiment', id: experiment.id, unitType, unit, group },
    time: Number(time),
    attributes: { country },
  }),
);

export const events = rowsOf(eventsText).map(
  ([, timestamp, name = '', value, userID, metadata = '']) => ({
    ...{ timestamp: Number(timestamp), name, value, userID },
    metadata: metadata === '' ? {} : JSON.parse(metadata),
  }),
);

export const dayOf = (ds: string) => Date.parse(`${ds}T00:00:00Z`) / 86_400_000;

/** Two hours after the end of a day. */
export const afterDay = (ds: string) => (dayOf(ds) + 1) * 86_400_000 + 2 * 3_600_000;

/** Creates the metrics and the experiment, and starts it. */
export async function startExperiment(some = metrics) {
  for (const metric of some) await ok('POST', 'metrics', metric);
  const names = new Set(some.map(({ name, type }) => `${name}::${type}`));
  const { startTime, ...settings } = experiment;
  const kept = (list: { name: string; type: string }[]) =>
    list.filter(({ name, type }) => names.has(`${name}::${type}`));
  await ok('POST', 'experiments', {
    ...settings,
    primaryMetrics: kept(settings.primaryMetrics),
    secondaryMetrics: kept(settings.secondaryMetrics),
    otherMetrics: kept(settings.otherMetrics),
  });
  await ok('PUT', `experiments/${experiment.id}/start`, { startTime });
}

function batchesOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, batch) =>
    items.slice(batch * size, (batch + 1) * size),
  );
}

export async function sendExposures(some = exposures, size = 1000) {
  for (const batch of batchesOf(some, size)) await ok('POST', 'exposures', { exposures: batch });
}

export async function sendEvents(
  some = events,
  size = 1000,
  afterBatch: () => Promise<void> = async () => {},
) {
  for (const batch of batchesOf(some, size)) {
    await ok('POST', 'events', { events: batch });
    await afterBatch();
  }
}

interface Options {
  now: number;
  chunkSize?: number;
  trips?: number;
  d1?: D1Database;
}

/** Runs the job once. */
export async function runJob({ now, chunkSize, trips = 20, d1 = env.DB }: Options) {
  const db = openDatabase(d1, 'first-primary');
  const left = () => ({ trips: trips - db.meter.trips, ms: 10_000 });
  await analyze({ db, now, left }, chunkSize);
  return db.meter;
}

/** Runs the job until it has nothing to do. */
export async function runUntilIdle(options: Options) {
  for (let runs = 1; ; runs++) {
    const { trips } = await runJob({ trips: 1000, ...options });
    if (trips <= 2) return runs;
    if (runs > 5000) throw new Error('The job does not end.');
  }
}

/** Runs the job for each day up to one. */
export async function runToDay(ds: string, chunkSize?: number) {
  await runUntilIdle({ now: afterDay(ds), ...(chunkSize && { chunkSize }) });
}

const isClose = (found: number, wanted: number, tolerance: number) =>
  Math.abs(found - wanted) <= tolerance * Math.max(Math.abs(wanted), 1e-300);

/** Fails with the name of a number that differs by more than a relative tolerance. */
export function expectClose(found: number, wanted: number, what: string, tolerance = 1e-9) {
  if (!isClose(found, wanted, tolerance)) expect(found, what).toBe(wanted);
}
