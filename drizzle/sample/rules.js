// Helpers for the rules of the sample project.

/** @typedef {[id: string, name: string, rest: Record<string, unknown>]} Entity one row of a table */

export const everyone = { type: 'public' };

/** @param {string} gate */
export const passes = (gate) => ({ type: 'passes_gate', targetValue: gate });

/** @param {string} segment */
export const inSegment = (segment) => ({ type: 'passes_segment', targetValue: segment });

/** @param {string[]} countries */
export const inCountry = (...countries) => ({
  type: 'country',
  operator: 'any',
  targetValue: countries,
});

/**
 * @param {string} name
 * @param {number} passPercentage
 * @param {object[]} conditions
 */
export const rule = (name, passPercentage, ...conditions) => ({ name, passPercentage, conditions });
