import { type Anchor, partID } from '../../base/naming.ts';
import { typeOfValue } from '../../base/value_types.ts';

/** Returns the anchor kind of a typed value. */
export const typedPartKind = (kind: string, type: string) => `${kind}_${type}_parameter`;

/** Returns an entity's values as anchors with their types: the database refuses a type change of a referenced value. */
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
