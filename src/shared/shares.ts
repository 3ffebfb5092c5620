/** The step of 0.01 nearest to a share, never -0. */
export const nearestStep = (share: number) => Math.round(share * 100) / 100 + 0;

/** Removes rounding noise, such as that of 0.1 + 0.2: a share within 1e-9 of a step of 0.01 is that step. */
export const withoutNoise = (share: number): number =>
  Math.abs(share - nearestStep(share)) <= 1e-9 ? nearestStep(share) : share;

/** In how many parts a percent is counted: decimal fractions do not add up exactly, whole numbers do. */
const perPercent = 10_000;

/** How far shares may be from 100 percent together, so that thirds can be written as 33.33. */
const tolerance = 0.01;

const whole = (percent: number) => Math.round(percent * perPercent);

/** How many parts shares leave of 100 percent; below zero where they take more. */
const partsLeft = (shares: readonly number[]): number =>
  shares.reduce((rest, share) => rest - whole(share), whole(100));

/** What shares leave of 100 percent; below zero where they take more. */
export const restOf = (shares: readonly number[]): number => partsLeft(shares) / perPercent;

/** Whether shares come to 100 percent, within 0.01. */
export const makeWhole = (shares: readonly number[]): boolean =>
  Math.abs(partsLeft(shares)) <= whole(tolerance);

/** Shares of 100 percent for some, as even as hundredths of a percent can be: of three 33.33, 33.33 and 33.34. */
export const evenShares = (count: number): number[] => {
  const upTo = (place: number) => Math.floor((10_000 * place) / count);
  return Array.from({ length: count }, (_, place) => (upTo(place + 1) - upTo(place)) / 100);
};
