import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { learnFromTrials } from '../../src/results/learning/run.ts';
import { ok } from '../support/client.ts';
import { makeAutotune } from '../support/factories.ts';

export const hour = 3_600_000;

/** A full hour, at which all autotunes of these tests start. */
export const start = Date.UTC(2026, 0, 5);

export const setClock = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });

export async function startAutotune(overrides: Record<string, unknown> = {}): Promise<string> {
  setClock(start);
  const { id } = await makeAutotune(overrides);
  await ok('PUT', `autotunes/${id}/start`);
  return id;
}

export interface Trial {
  unit: string;
  group: string;
  /** Milliseconds after the start. */
  at: number;
  /** Milliseconds from the exposure to each success. */
  successes?: number[];
  value?: string | number;
  metadata?: Record<string, unknown>;
}

/** Reports exposures and success events. */
export async function report(id: string, trials: readonly Trial[]) {
  const latest = Math.max(...trials.map(({ at }) => at));
  setClock(Math.max(Date.now(), start + latest));
  for (let from = 0; from < trials.length; from += 1000)
    await ok('POST', 'exposures', {
      exposures: trials.slice(from, from + 1000).map(({ unit, group, at }) => ({
        ...{ kind: 'autotune', id, unitType: 'userID', unit, group, time: start + at },
      })),
    });
  const events = trials.flatMap(({ unit, at, successes = [], value = '', metadata = {} }) =>
    successes.map((after) => ({
      ...{ name: 'purchase', userID: unit, timestamp: start + at + after, value, metadata },
    })),
  );
  for (let from = 0; from < events.length; from += 1000)
    await ok('POST', 'events', { events: events.slice(from, from + 1000) });
}

/** Returns units exposed to a variant in the first minute, of which the first ones succeed a minute later. */
export const units = (group: string, count: number, successes: number): Trial[] =>
  Array.from({ length: count }, (_, index) => ({
    unit: `${group} ${index}`,
    group,
    at: 60_000,
    successes: index < successes ? [60_000] : [],
  }));

interface Options {
  chunkSize?: number;
  trips?: number;
  d1?: D1Database;
}

/** Runs the job once, some hours after the start; returns its cost. */
export async function learnAt(
  hours: number,
  { chunkSize = 10_000, trips = 1000, d1 = env.DB }: Options = {},
) {
  const now = start + hours * hour;
  setClock(now);
  const db = openDatabase(d1, 'first-primary');
  const left = () => ({ trips: trips - db.meter.trips, ms: 10_000 });
  await learnFromTrials({ db, now, left, chunkSize });
  return db.meter;
}

/** Returns what was learned, by hours after the start. */
export async function learned(id: string) {
  const { results } = await env.DB.prepare(
    'select hour, variants from autotune_hours where id = ? order by start, hour',
  )
    .bind(id)
    .all<{ hour: number; variants: string }>();
  return results.map((row) => ({
    hour: row.hour - start / hour,
    variants: JSON.parse(row.variants),
  }));
}

/** Returns the stored shares. */
export async function weightsOf(id: string): Promise<number[] | undefined> {
  const row = await env.DB.prepare(
    "select settings -> 'weights' as weights from autotunes where id = ?",
  )
    .bind(id)
    .first<{ weights: string | null }>();
  return row?.weights ? JSON.parse(row.weights) : undefined;
}
