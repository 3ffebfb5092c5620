export interface OverridePlacement {
  /** The overridden unit: its ID, for messages, then everything that identifies it. */
  of: readonly [id: string, ...unknown[]];
  place: string;
  /** The environment, in any case; all environments if missing, null or empty. */
  environment?: string | null | undefined;
}

export interface PlacedOverride extends OverridePlacement {
  property: string;
}

/** Returns the first placement that contradicts an earlier one; stored ones may contradict each other. */
export function findConflict<P extends OverridePlacement>(
  kept: readonly OverridePlacement[],
  given: readonly P[],
): { twice: P; first: string } | undefined {
  const places = new Map<string, string>();
  const named = new Map<string, Set<string>>();
  /** Returns another result recorded before. */
  const put = ({ of, place, environment }: OverridePlacement): string | undefined => {
    const name = JSON.stringify(of);
    const here = environment ? `${name} ${environment.toLowerCase()}` : name;
    const elsewhere = environment ? [places.get(here)] : [...(named.get(name) ?? [])];
    const before = [places.get(name), ...elsewhere];
    if (!places.has(here)) places.set(here, place);
    if (environment) named.set(name, (named.get(name) ?? new Set()).add(place));
    return before.find((other) => other !== undefined && other !== place);
  };
  kept.forEach(put);
  for (const twice of given) {
    const first = put(twice);
    if (first !== undefined) return { twice, first };
  }
  return undefined;
}
