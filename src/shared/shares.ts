/** In how many parts a percent is counted: decimal fractions do not add up exactly, whole numbers do. */
const perPercent = 10_000;

/** How far shares may be from 100 percent together, so that thirds can be written as 33.33. */
const tolerance = 0.01;

const whole = (percent: number) => Math.round(percent * perPercent);

/** What shares come to, in percent, without the noise of adding fractions. */
const sumOfShares = (shares: readonly number[]): number =>
  shares.reduce((sum, share) => sum + whole(share), 0) / perPercent;

/** What shares leave of 100 percent; below zero where they take more. */
export const restOf = (shares: readonly number[]): number =>
  (100 * perPercent - whole(sumOfShares(shares))) / perPercent;

/** Whether shares come to 100 percent, within 0.01. */
export const makeWhole = (shares: readonly number[]): boolean =>
  Math.abs(whole(restOf(shares))) <= whole(tolerance);
