/** A noun in plural: `entries`, `gates`. */
export const pluralOf = (one: string) =>
  /[^aeiou]y$/.test(one) ? one.replace(/y$/, 'ies') : `${one}s`;

/** So many of something: `1 entry`, `2 entries`. */
export const counted = (count: number | bigint, one: string, many = pluralOf(one)) =>
  `${count} ${Number(count) === 1 ? one : many}`;

/** How a sentence calls a kind, by its name in history: `dynamic config`. */
export const inWords = (kind: string) => kind.replaceAll('_', ' ');
