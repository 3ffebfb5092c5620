/** The values of one unit: Y, and for some metrics the denominator D, and X and M: Y and D before its exposure. */
export interface UnitValues {
  y: number;
  d?: number;
  x?: number;
  m?: number;
}

/** Units, four means, ten sums of products of deviations from the means, and the sum of cubes of deviations of Y. */
const momentNames = [
  'n',
  'meanY',
  'meanD',
  'meanX',
  'meanM',
  'yy',
  'yd',
  'yx',
  'ym',
  'dd',
  'dx',
  'dm',
  'xx',
  'xm',
  'mm',
  'yyy',
] as const;

/** The moments of values that a metric does not have are 0. */
export type Moments = Record<(typeof momentNames)[number], number>;

export const noMoments: Moments = {
  n: 0,
  meanY: 0,
  meanD: 0,
  meanX: 0,
  meanM: 0,
  yy: 0,
  yd: 0,
  yx: 0,
  ym: 0,
  dd: 0,
  dx: 0,
  dm: 0,
  xx: 0,
  xm: 0,
  mm: 0,
  yyy: 0,
};

/** A sum that is too large for a number is kept as the largest one, which `compare` gives no inference for. */
const inRange = (value: number): number =>
  Number.isFinite(value) ? value : value < 0 ? -Number.MAX_VALUE : Number.MAX_VALUE;

/** Returns moments with ±`Number.MAX_VALUE` for sums that are too large. */
export function allInRange(moments: Moments): Moments {
  const bounded = { ...moments };
  for (const name of momentNames) bounded[name] = inRange(moments[name]);
  return bounded;
}

/** Returns the moments of two disjoint sets of units together (Chan, Golub and LeVeque 1979). */
export function mergeMoments(a: Moments, b: Moments): Moments {
  if (a.n === 0) return b;
  if (b.n === 0) return a;
  const n = a.n + b.n;
  const share = b.n / n;
  const weight = a.n * share;
  const y = b.meanY - a.meanY;
  const d = b.meanD - a.meanD;
  const x = b.meanX - a.meanX;
  const m = b.meanM - a.meanM;
  const cube = (y ** 3 * weight * (a.n - b.n)) / n + (3 * y * (a.n * b.yy - b.n * a.yy)) / n;
  return allInRange({
    n,
    meanY: a.meanY + y * share,
    meanD: a.meanD + d * share,
    meanX: a.meanX + x * share,
    meanM: a.meanM + m * share,
    yy: a.yy + b.yy + y * y * weight,
    yd: a.yd + b.yd + y * d * weight,
    yx: a.yx + b.yx + y * x * weight,
    ym: a.ym + b.ym + y * m * weight,
    dd: a.dd + b.dd + d * d * weight,
    dx: a.dx + b.dx + d * x * weight,
    dm: a.dm + b.dm + d * m * weight,
    xx: a.xx + b.xx + x * x * weight,
    xm: a.xm + b.xm + x * m * weight,
    mm: a.mm + b.mm + m * m * weight,
    yyy: a.yyy + b.yyy + cube,
  });
}

/** Returns moments from `sums`: `meanY` to `meanM` are the means, other sums are about an origin near them. */
export function momentsFromOrigin(
  sums: Moments,
  origin: { y: number; d?: number; x?: number; m?: number },
): Moments {
  const { n } = sums;
  if (n === 0) return noMoments;
  const y = sums.meanY - origin.y;
  const d = sums.meanD - (origin.d ?? 0);
  const x = sums.meanX - (origin.x ?? 0);
  const m = sums.meanM - (origin.m ?? 0);
  return allInRange({
    ...sums,
    yy: Math.max(0, sums.yy - n * y * y),
    yd: sums.yd - n * y * d,
    yx: sums.yx - n * y * x,
    ym: sums.ym - n * y * m,
    dd: Math.max(0, sums.dd - n * d * d),
    dx: sums.dx - n * d * x,
    dm: sums.dm - n * d * m,
    xx: Math.max(0, sums.xx - n * x * x),
    xm: sums.xm - n * x * m,
    mm: Math.max(0, sums.mm - n * m * m),
    yyy: sums.yyy - 3 * y * sums.yy + 2 * n * y ** 3,
  });
}

/** Corrects the mean by the mean of the deviations: exact to the last digits. */
function meanOf(values: readonly number[]): number {
  const first = values.reduce((sum, value) => sum + value / values.length, 0);
  return first + values.reduce((sum, value) => sum + (value - first) / values.length, 0);
}

/** Returns the moments of some units, in two passes: means first, then deviations from them. */
export function momentsOf(units: readonly UnitValues[]): Moments {
  const n = units.length;
  if (n === 0) return noMoments;
  const origin = {
    y: meanOf(units.map(({ y }) => y)),
    d: meanOf(units.map(({ d }) => d ?? 0)),
    x: meanOf(units.map(({ x }) => x ?? 0)),
    m: meanOf(units.map(({ m }) => m ?? 0)),
  };
  const sums = {
    ...noMoments,
    n,
    meanY: origin.y,
    meanD: origin.d,
    meanX: origin.x,
    meanM: origin.m,
  };
  for (const unit of units) {
    const y = unit.y - origin.y;
    const d = (unit.d ?? 0) - origin.d;
    const x = (unit.x ?? 0) - origin.x;
    const m = (unit.m ?? 0) - origin.m;
    sums.yy += y * y;
    sums.yd += y * d;
    sums.yx += y * x;
    sums.ym += y * m;
    sums.dd += d * d;
    sums.dx += d * x;
    sums.dm += d * m;
    sums.xx += x * x;
    sums.xm += x * m;
    sums.mm += m * m;
    sums.yyy += y ** 3;
  }
  return allInRange(sums);
}
