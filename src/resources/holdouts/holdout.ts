import type * as z from 'zod';
import { newID } from '../../shared/ids.ts';
import { noUnitOverrides } from '../../shared/unit_overrides.ts';
import type { Draft } from '../../store/terms.ts';
import type { Holdout, holdoutCreate } from './schema.ts';

/** A new holdout from the body of its creation. */
export const newHoldout = (body: z.infer<typeof holdoutCreate>): Draft<Holdout> => ({
  description: '',
  idType: 'userID',
  targetApps: [],
  tags: [],
  team: '',
  isEnabled: false,
  isGlobal: false,
  passPercentage: 0,
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  targetingGateID: '',
  dynamicConfigIDs: [],
  promptIDs: [],
  monitoringMetrics: [],
  overrides: noUnitOverrides(),
  phaseTime: null,
  ...body,
  id: newID(body.id, body.name),
});
