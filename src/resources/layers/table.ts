import { collection } from '../../store/collection.ts';
import { entityTable, textField } from '../../store/columns.ts';
import { labels } from '../../store/naming.ts';
import { keepHoldouts } from '../holdouts/member.ts';
import { overrideReferences } from './overrides.ts';
import { parameterParts } from './parameters.ts';
import type { Layer } from './schema.ts';

export const layerTable = entityTable('layers', {
  idType: textField('idType'),
});

export const layers = collection<Layer>({
  kind: 'layer',
  title: 'Layer',
  table: layerTable,
  references: (layer) => [...labels(layer), ...overrideReferences(layer.overrides)],
  parts: ({ id, parameters }) => parameterParts(id, parameters),
  restored: keepHoldouts,
});
