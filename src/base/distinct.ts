/** Returns each item once, at its first position. */
export const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Returns the last of items with equal keys, at the position of the first. */
export const lastOfEach = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): Item[] => [...new Map(items.map((item) => [JSON.stringify(keyOf(item)), item])).values()];
