import { entityTable, textField } from '../../store/columns.ts';

export const layerTable = entityTable('layers', {
  idType: textField('idType'),
});
