import type * as z from 'zod';
import { merge, show } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import { noUnitOverrides } from '../../shared/unit_overrides.ts';
import type { Draft } from '../../store/terms.ts';
import { type Holdout, type holdoutCreate, holdoutResponse, type holdoutUpdate } from './schema.ts';

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

/** A holdout after a full update (contract, operation 14); what that operation does not name stays as it is. */
export const replaceHoldout = (holdout: Holdout, body: z.infer<typeof holdoutUpdate>): Holdout =>
  merge(holdout, body);

/** A holdout as it is answered. */
export const viewHoldout = (holdout: Holdout) => show(holdoutResponse, holdout);
