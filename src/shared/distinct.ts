/** Each item at its first place. */
export const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/**
 * The last of those items that are alike, at the place of the first.
 * @param keyOf what tells items apart, as JSON; the item itself where left out
 */
export const lastOfEach = <Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown = (item) => item,
): Item[] => [...new Map(items.map((item) => [JSON.stringify(keyOf(item)), item])).values()];
