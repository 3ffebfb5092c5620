export interface Anchor {
  kind: string;
  id: string;
}

/** Returns a text that identifies an anchor. */
export const anchorKey = ({ kind, id }: Anchor) => `${kind}:${id}`;

/** `property` is the path of the property that holds the reference. */
export interface Reference extends Anchor {
  property: string;
  /** A kind that the same ID refers to as well; if that anchor is missing, this reference adds no error. */
  refines?: string;
  of?: Anchor;
}

/** Returns the property of an entity that holds a reference, at any depth. */
export const fieldOfReference = ({ property }: Reference) => property.split('.')[0] ?? '';

/** Returns the ID of a part of an entity; no entity ID contains a colon. */
export const partID = (entityID: string, part: string) => `${entityID}:${part}`;

/** Returns the reference of a property that holds one ID; empty if the ID is null or empty. */
export const referenceTo = (
  property: string,
  kind: string,
  id: string | null | undefined,
): Reference[] => (id ? [{ kind, id, property }] : []);

/** Returns the references of a property that holds several IDs. */
export const referencesTo = (property: string, kind: string, ids: readonly string[]): Reference[] =>
  ids.map((id, index) => ({ kind, id, property: `${property}.${index}` }));

export const metricID = ({ name, type }: { name: string; type: string }) => `${name}::${type}`;

/** Returns the references of a property that lists metrics. */
export const metricReferencesTo = (
  property: string,
  metrics: readonly { name: string; type: string }[],
): Reference[] => referencesTo(property, 'metric', metrics.map(metricID));
