import { expect, test } from 'vitest';
import { chiSquareP } from '../src/shared/chi_square.ts';

test.each([
  [[5050, 4950], [50, 50], 0.317310508],
  [[5200, 4800], [50, 50], 6.334248e-5],
  [[100, 100], [50, 50], 1],
  [[30, 30, 40], [1, 1, 1], 0.3678794412], // exp(-1): two degrees of freedom
  [[10, 20, 30, 40], [25, 25, 25, 25], 0.0001697424], // three degrees, chi-square 20
  [[0, 1000], [50, 50], 0],
  [[0, 1_000_000], [50, 50], 0],
  [[7], [100], 1],
])('the chance of counts %j by shares %j is %f', (counts, shares, p) => {
  expect(chiSquareP(counts, shares)).toBeCloseTo(p, p < 0.001 ? 10 : 8);
});
