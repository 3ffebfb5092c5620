/** Returns the plural of a noun: `entries`, `gates`. */
export const pluralOf = (one: string) =>
  /[^aeiou]y$/.test(one) ? one.replace(/y$/, 'ies') : `${one}s`;

/** Returns a count with its noun: `1 entry`, `2 entries`. */
export const counted = (count: number | bigint, one: string, many = pluralOf(one)) =>
  `${count} ${Number(count) === 1 ? one : many}`;

/** Returns the noun for a kind: `dynamic config`. */
export const inWords = (kind: string) => kind.replaceAll('_', ' ');
