import { describedNameResource } from '../../platform/resource/names.ts';
import { team } from './schema.ts';
import { teams } from './table.ts';

export const teamResource = describedNameResource('teams', teams, team);
