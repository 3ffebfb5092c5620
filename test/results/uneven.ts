import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { analyze } from '../../src/analysis/schedule/analyze.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { ok } from '../support/client.ts';

export const start = Date.UTC(2026, 0, 5);
export const dayLength = 86_400_000;
export const setClock = (now: number) => vi.useFakeTimers({ toFake: ['Date'], now });

/** 1,000 units, a tenth of them in the smaller group. */
export const units = Array.from({ length: 1000 }, (_, index) => ({
  unit: `u${index}`,
  isSmall: index % 10 === 0,
}));

export async function loadAt(now: number) {
  setClock(now);
  for (let runs = 0; runs < 5; runs++) {
    const db = openDatabase(env.DB, 'first-primary');
    const left = () => ({ trips: 100 - db.meter.trips, ms: 10_000 });
    await analyze({ db, now, left });
  }
}

/** Exposes all units, each of which purchases once, and loads two days. */
export async function load(
  kind: 'gate' | 'holdout',
  id: string,
  groups: { small: string; large: string },
) {
  setClock(start + 3_600_000);
  await ok('POST', 'exposures', {
    exposures: units.map(({ unit, isSmall }) => ({
      ...{ kind, id, unitType: 'userID', unit, time: start + 60_000 },
      group: isSmall ? groups.small : groups.large,
    })),
  });
  await ok('POST', 'events', {
    events: units.map(({ unit }) => ({
      ...{ name: 'purchase', userID: unit, timestamp: start + 120_000 },
    })),
  });
  await loadAt(start + 2 * dayLength + 7_200_000);
}
