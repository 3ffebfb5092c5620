/** Where in a value something is: a property or an item, and what it is in. */
export interface Place {
  in: Place | undefined;
  key: string | number;
}

/** How a value does not satisfy a schema, and where in it. */
export interface Misfit {
  place: Place | undefined;
  error: string;
}

/** The first misfit that any of some items has. */
export function first<T>(
  items: readonly T[],
  find: (item: T) => Misfit | undefined,
): Misfit | undefined {
  for (const item of items) {
    const found = find(item);
    if (found) return found;
  }
  return undefined;
}

/** A place as a path: `colours.0.name`. */
export function pathOf(place: Place | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = place; at; at = at.in) keys.unshift(at.key);
  return keys.join('.');
}
