import { allInRange, type Moments } from './moments.ts';

/** A difference below this share of its terms consists of rounding errors. */
const roundingShare = 1e-13;

function ratioResidual(aa: number, ab: number, bb: number, r: number): number {
  const squares = r * r * bb;
  const rest = aa - 2 * r * ab + squares;
  return rest > roundingShare * (aa + squares) ? rest : 0;
}

/** Returns the moments of (Y - R·D) / mean D, R = ΣY / ΣD, by the delta method (Deng et al. 2018); null if ΣD is 0. */
export function linearized(moments: Moments): Moments | null {
  const { yy, yd, yx, ym, dd, dx, dm, xx, xm, mm, meanD, meanM } = moments;
  if (meanD === 0) return null;
  const r = moments.meanY / meanD;
  const squares = ratioResidual(yy, yd, dd, r) / meanD / meanD;
  if (meanM === 0) return allInRange({ ...moments, meanY: r, meanX: 0, yy: squares, yx: 0, xx: 0 });
  const before = moments.meanX / meanM;
  return allInRange({
    ...moments,
    meanY: r,
    meanX: before,
    yy: squares,
    yx: (yx - before * ym - r * dx + r * before * dm) / meanD / meanM,
    xx: ratioResidual(xx, xm, mm, before) / meanM / meanM,
  });
}

/** Whether the interval of the denominator excludes 0 at this critical value, as the delta method requires. */
export const isDenominatorStable = ({ n, meanD, dd }: Moments, critical: number): boolean =>
  n > 1 && critical * Math.sqrt(Math.max(0, dd) / (n - 1) / n) < Math.abs(meanD);
