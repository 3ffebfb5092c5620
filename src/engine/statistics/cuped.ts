import type { Moments } from './moments.ts';

/** Below this share of its terms, a difference of large terms consists of rounding errors. */
const roundingShare = 1e-13;

function cupedResidual(whole: number, explained: number, scale: number): number {
  const rest = whole + explained;
  return rest > roundingShare * scale ? rest : 0;
}

const ratio = (a: number, b: number): number => (b === 0 ? 0 : a / b);

/** Returns the moments of (Y - R·D) / mean D, with mean R = ΣY / ΣD; null if ΣD is 0 (Deng, Knoblich and Lu 2018). */
export function linearize(moments: Moments): Moments | null {
  const { n, meanY, meanD, meanX, meanM } = moments;
  if (meanD === 0) return null;
  const r = meanY / meanD;
  const before = ratio(meanX, meanM);
  const yy = cupedResidual(
    moments.yy,
    r * r * moments.dd - 2 * r * moments.yd,
    moments.yy + r * r * moments.dd,
  );
  const xx = cupedResidual(
    moments.xx,
    before * before * moments.mm - 2 * before * moments.xm,
    moments.xx + before * before * moments.mm,
  );
  const yx = moments.yx - before * moments.ym - r * moments.dx + r * before * moments.dm;
  return {
    ...moments,
    n,
    meanY: r,
    meanX: before,
    yy: yy / meanD / meanD,
    xx: ratio(ratio(xx, meanM), meanM),
    yx: ratio(yx / meanD, meanM),
  };
}

/** The slope of Y on X within both groups, of `lm(y ~ group + x)` (Deng, Xu, Kohavi and Walker 2013). */
export const slope = (control: Moments, test: Moments): number =>
  (control.yx + test.yx) / (control.xx + test.xx);

/** Returns the sum of squares of Y - θX about its mean. */
export const adjustedSquares = ({ yy, yx, xx }: Moments, theta: number): number =>
  Math.max(0, yy - 2 * theta * yx + theta * theta * xx);
