/** Returns the nearest step of 0.01, never -0. */
export const nearestStep = (share: number) => Math.round(share * 100) / 100 + 0;

/** Whether a share is above 0, and smaller than any rounding noise of percentages. */
export const isTooSmall = (share: number): boolean => share > 0 && share < 1e-20;

/** Removes rounding noise, such as of 0.1 + 0.2: a share within 1e-9 of a step becomes that step. */
export const withoutNoise = (share: number): number =>
  Math.abs(share - nearestStep(share)) <= 1e-9 && !isTooSmall(share) ? nearestStep(share) : share;

/** Shares are summed in whole parts, as decimal fractions do not add up exactly. */
const perPercent = 10_000;

/** Percent: thirds can be written as 33.33. */
const tolerance = 0.01;

const wholeParts = (percent: number) => Math.round(percent * perPercent);

const partsLeft = (shares: readonly number[]): number =>
  shares.reduce((rest, share) => rest - wholeParts(share), wholeParts(100));

/** Returns the rest of 100 percent; negative if the shares exceed it. */
export const restOf = (shares: readonly number[]): number => partsLeft(shares) / perPercent;

/** Whether shares total 100 percent, within 0.01. */
export const totalHundred = (shares: readonly number[]): boolean =>
  Math.abs(partsLeft(shares)) <= wholeParts(tolerance);

/** Returns equal shares of 100 percent in steps of 0.01: for three 33.33, 33.33 and 33.34. */
export const evenShares = (count: number): number[] => {
  const upTo = (place: number) => Math.floor((10_000 * place) / count);
  return Array.from({ length: count }, (_, place) => (upTo(place + 1) - upTo(place)) / 100);
};
