import { lift } from '../charts/format.ts';

/** Formats a change of either sign, such as "±7.7%". */
export const eitherWay = (percent: number | null | undefined) =>
  percent === null || percent === undefined ? '–' : `±${lift(Math.abs(percent)).replace('+', '')}`;
