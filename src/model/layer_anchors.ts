import { type Anchor, partID } from '../base/naming.ts';
import { typeOfValue } from '../base/value_types.ts';

/** Returns the anchor kind of a parameter of one type: set values refer to it, so that the type cannot change. */
export const typedKind = (type: string) => `${type}_parameter`;

/** Returns the anchors of a layer: each parameter, by name and by name and type. */
export const parameterParts = (
  layerID: string,
  parameters: readonly { name: string; type: string }[],
): Anchor[] =>
  parameters.flatMap(({ name, type }) => [
    { kind: 'layer_parameter', id: partID(layerID, name) },
    { kind: typedKind(type), id: partID(layerID, name) },
  ]);

/** Returns the reference of a set value to its parameter. */
export const parameterFor = (layerID: string, name: string, value: unknown) => ({
  kind: typedKind(typeOfValue(value)),
  id: partID(layerID, name),
  of: { kind: 'layer', id: layerID },
});

/** Returns the anchor of an experiment on a layer: overrides may only refer to those. */
export const onLayer = (layerID: string, experimentID: string): Anchor => ({
  kind: 'experiment_on_the_layer',
  id: partID(layerID, experimentID),
});
