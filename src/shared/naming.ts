/** Something that can be referred to: an entity, or a named part of one. */
export interface Anchor {
  kind: string;
  id: string;
}

/** A text that tells anchors apart. */
export const anchorKey = ({ kind, id }: Anchor) => `${kind}:${id}`;

/** That an entity names another: `property` is the path of the property that does. */
export interface Reference extends Anchor {
  property: string;
  /** The kind by which the same id is referred to as well: where that is missing, this says nothing more. */
  refines?: string;
  /** The entity whose part it is; none where it is an entity itself. */
  of?: Anchor;
}

/** The property of an entity in which a reference stands, however deep. */
export const fieldOf = ({ property }: Reference) => property.split('.')[0] ?? '';

/** The name under which a part of an entity can be referred to; no id contains a colon. */
export const partID = (entityID: string, part: string) => `${entityID}:${part}`;

/** The reference of a property that names one entity; none where it is null or empty. */
export const naming = (
  property: string,
  kind: string,
  id: string | null | undefined,
): Reference[] => (id ? [{ kind, id, property }] : []);

/** The references of a property that names several entities of a kind. */
export const namingEach = (property: string, kind: string, ids: readonly string[]): Reference[] =>
  ids.map((id, index) => ({ kind, id, property: `${property}.${index}` }));

/** The id of a metric. */
export const metricID = ({ name, type }: { name: string; type: string }) => `${name}::${type}`;

/** The references of a property that lists metrics. */
export const namingMetrics = (
  property: string,
  metrics: readonly { name: string; type: string }[],
): Reference[] => namingEach(property, 'metric', metrics.map(metricID));
