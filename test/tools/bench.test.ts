import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { operations } from '../../bench/operations.js';

/** The project with local variables, about which wrangler writes a line. */
const folder = mkdtempSync(join(tmpdir(), 'project-'));
for (const name of readdirSync('.').filter((name) => name !== '.dev.vars'))
  symlinkSync(resolve(name), join(folder, name));
writeFileSync(join(folder, '.dev.vars'), 'ROOT_API_KEY=local\n');

afterAll(() => rmSync(folder, { recursive: true }));

test('the bench prints, as JSON alone, figures of every operation of the console and of an equivalent bare Worker', {
  timeout: 240_000,
}, async () => {
  const options = ['--sizes', '100', '--seconds', '0.01', '--isolates', '1', '--json'];
  const run = promisify(execFile)(process.execPath, ['bench/index.js', ...options], {
    cwd: folder,
  });
  const { operations: figures, evaluations, check, size, startup } = JSON.parse((await run).stdout);
  expect(figures).toEqual(
    operations.map(({ name }) => ({
      operation: name,
      size: 100,
      trips: expect.any(Number),
      read: expect.any(Number),
      written: expect.any(Number),
      console: { perSecond: expect.any(Number), p50: expect.any(Number), p99: expect.any(Number) },
      bare: { perSecond: expect.any(Number), p50: expect.any(Number), p99: expect.any(Number) },
      ratio: { perSecond: expect.any(Number), p50: expect.any(Number), p99: expect.any(Number) },
    })),
  );
  const trips = figures.map((row: { trips: number }) => row.trips);
  expect(trips).toEqual([1, 1, 1, 1, 1, 2, 6, 2, 2, 2]);
  expect(
    evaluations.figures.map((row: { operation: string; size: number; trips: number }) => [
      row.operation,
      row.size,
      row.trips,
    ]),
  ).toEqual([
    ['ask all flags', 10, 0],
    ['ask one flag', 100, 0],
    ['ask all flags', 100, 0],
    ['ask all flags, one at a time', 100, 0],
    ['ask initialize', 100, 0],
  ]);
  expect(evaluations.coldStarts).toEqual([
    { size: 100, milliseconds: expect.any(Number), cpu: expect.any(Number) },
  ]);
  expect(check).toEqual({ microseconds: expect.any(Number), bytes: expect.any(Number) });
  expect(size.console.minified).toBeGreaterThan(size.empty.minified);
  expect(startup.ratio).toBeGreaterThan(1);
});
