import { afterEach, expect, test } from 'vitest';
import { timeOf } from '../../../src/engine/evaluation/readings.ts';

const { TZ } = process.env;
afterEach(() => {
  process.env.TZ = TZ;
});

test.each(['America/New_York', 'Asia/Kolkata', 'UTC'])(
  'a time without a zone is in UTC, also in %s',
  (zone) => {
    process.env.TZ = zone;
    const local = new Date(2026, 5, 15, 12).getTime();
    expect(local === Date.UTC(2026, 5, 15, 12)).toBe(zone === 'UTC');
    for (const text of ['2026-06-15T12:00', '2026-06-15 12:00:00', '2026-06-15T12:00:00.000'])
      expect(timeOf(text)).toBe(Date.UTC(2026, 5, 15, 12));
    expect(timeOf('2026-06-15')).toBe(Date.UTC(2026, 5, 15));
  },
);
