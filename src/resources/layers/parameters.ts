import { type Anchor, partID } from '../../shared/naming.ts';
import { typeOfValue } from '../../shared/value_types.ts';

/** The kind of a parameter of one type: what sets a value refers to it, so that types stay true to their values. */
export const typedKind = (type: string) => `${type}_parameter`;

/** What others may refer to in a layer: each parameter, and each parameter of its type. */
export const parameterParts = (
  layerID: string,
  parameters: readonly { name: string; type: string }[],
): Anchor[] =>
  parameters.flatMap(({ name, type }) => [
    { kind: 'layer_parameter', id: partID(layerID, name) },
    { kind: typedKind(type), id: partID(layerID, name) },
  ]);

/** The parameter that a value is set for: one of that name and of the value's type. */
export const parameterFor = (layerID: string, name: string, value: unknown) => ({
  kind: typedKind(typeOfValue(value)),
  id: partID(layerID, name),
  of: { kind: 'layer', id: layerID },
});
