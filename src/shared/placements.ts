/** A type of unit, as ids are looked up by it: in any case. See docs/contract/evaluation.md#42-lookups. */
export const knownUnit = (type: string): string => type.toLowerCase();

/** Something that overrides put somewhere. */
export interface Placement {
  /** What is put: the id first, for the message, then all that tells it from others. */
  of: readonly [id: string, ...unknown[]];
  /** Where it is put: of one thing, into one place only. */
  place: string;
  /** In which environment, in any case; in all of them where it is absent, null or empty. */
  environment?: string | null | undefined;
}

/**
 * The first placement that contradicts an earlier one, which puts the same elsewhere in the same environment, and where.
 * @param kept what is stored already, and may contradict itself: of that the first counts
 */
export function placedTwice<P extends Placement>(
  kept: readonly Placement[],
  given: readonly P[],
): { twice: P; first: string } | undefined {
  const places = new Map<string, string>();
  /** The places of what is put somewhere in named environments. */
  const named = new Map<string, Set<string>>();
  /** Puts something where it is said, and answers where else it was already. */
  const put = ({ of, place, environment }: Placement): string | undefined => {
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
