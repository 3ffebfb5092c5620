import { expect, test } from 'vitest';
import { operations } from '../bench/operations.js';
import { launch } from './support/local_server.ts';

test('the bench measures every operation of the console and of an equivalent bare Worker', {
  timeout: 240_000,
}, async () => {
  const options = ['--sizes', '100', '--seconds', '0.01', '--isolates', '1', '--json'];
  const bench = launch(process.execPath, ['bench/index.js', ...options]);
  expect(await bench.closed, bench.output()).toBe(0);
  const output = bench.output();
  const {
    operations: figures,
    evaluations,
    size,
    startup,
  } = JSON.parse(output.slice(output.indexOf('{')));
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
  expect(trips).toEqual([1, 1, 1, 1, 1, 2, 6, 2, 2, 1]);
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
  expect(evaluations.coldStarts).toEqual([{ size: 100, milliseconds: expect.any(Number) }]);
  expect(size.console.minified).toBeGreaterThan(size.empty.minified);
  expect(startup.ratio).toBeGreaterThan(1);
});
