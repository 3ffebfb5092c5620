import { isEqual } from '../../../base/equal.ts';
import type { Stamps } from '../../../base/fields.ts';
import { memberOf, recordOf } from '../../../base/value_types.ts';

export interface Entity extends Stamps {
  id: string;
}

const stamps: ReadonlySet<string> = new Set([
  'version',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'lastModifiedTime',
]);

interface Stamped {
  stamped: readonly string[];
}

/** Returns the properties in which two states differ, except the stamps. */
export function changedProperties({ stamped }: Stamped, old: object, current: object): string[] {
  const [before, after] = [recordOf(old), recordOf(current)];
  return Object.keys({ ...before, ...after }).filter(
    (property) =>
      !stamps.has(property) &&
      !stamped.includes(property) &&
      !isEqual(before[property], after[property]),
  );
}

/** Like `changedProperties`, but null equals absent: older states lack newer columns. */
export const changedValues = (kind: Stamped, old: object, current: object): string[] =>
  changedProperties(kind, old, current).filter(
    (property) => memberOf(old, property) != null || memberOf(current, property) != null,
  );
