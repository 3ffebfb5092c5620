import { describedNameResource } from '../../platform/resource/names.ts';
import { unitIDType } from './schema.ts';
import { unitIdTypes } from './table.ts';

export const unitIdTypeResource = describedNameResource('unit_id_types', unitIdTypes, unitIDType);
