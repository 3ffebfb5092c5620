import { type Anchor, partID } from './naming.ts';
import { typeOfValue } from './value_types.ts';

/** The kind of a value of one type that an entity of a kind hands on. */
export const typedPartKind = (kind: string, type: string) => `${kind}_${type}_parameter`;

/**
 * What others may refer to among the values of an entity: each by its name, and, where it has one type throughout, by
 * its name as one of that type. So the database refuses a change of type that something relies on.
 * @param sets the values by name, once for each case that there is
 */
export function valueParts(
  kind: string,
  entityID: string,
  sets: readonly Record<string, unknown>[],
): Anchor[] {
  const types = new Map<string, Set<string>>();
  for (const [name, value] of sets.flatMap((set) => Object.entries(set)))
    types.set(name, (types.get(name) ?? new Set()).add(typeOfValue(value)));
  return [...types].flatMap(([name, [type = '', ...others]]) => {
    const id = partID(entityID, name);
    const named = { kind: `${kind}_parameter`, id };
    return others.length > 0 ? [named] : [named, { kind: typedPartKind(kind, type), id }];
  });
}
