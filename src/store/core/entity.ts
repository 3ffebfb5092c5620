import { isEqual } from '../../shared/equal.ts';
import type { Stamps } from '../../shared/fields.ts';

/** What the store itself needs to know of an entity; every resource's stored schema has these. */
export interface Entity extends Stamps {
  id: string;
}

/** Properties that change with every change, and so say nothing of what was changed. */
const stamped = new Set([
  'version',
  'lastModifierID',
  'lastModifierName',
  'lastModifierEmail',
  'lastModifiedTime',
  'ruleTimes',
  'phaseTime',
]);

/** The properties in which two states of an entity differ, but for the stamps of the change itself. */
export function changedProperties(old: object, current: object): string[] {
  const [before, after] = [Object(old), Object(current)];
  return Object.keys({ ...before, ...after }).filter(
    (property) => !stamped.has(property) && !isEqual(before[property], after[property]),
  );
}

/** The same of states of which one may be from before a property was there, which is null in its column. */
export const changedValues = (old: object, current: object): string[] =>
  changedProperties(old, current).filter(
    (property) => Reflect.get(old, property) != null || Reflect.get(current, property) != null,
  );
