import { describedNameResource } from '../../platform/resource/names.ts';
import { targetApp } from './schema.ts';
import { targetApps } from './table.ts';

export const targetAppResource = describedNameResource('target_apps', targetApps, targetApp);
