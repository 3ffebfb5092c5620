import { dequal } from 'dequal/lite';
import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { merge, newID, show } from '../../shared/fields.ts';
import type { Draft } from '../../store/transaction.ts';
import { notStarted } from './lifecycle.ts';
import {
  type Autotune,
  type autotuneCreate,
  type autotunePatch,
  autotuneResponse,
  type autotuneUpdate,
} from './schema.ts';

type Update = z.infer<typeof autotuneUpdate>;

/** The settings of an autotune of which the body says nothing. */
const defaults = {
  description: '',
  idType: 'userID',
  successEventValue: '',
  attributionWindowUnit: undefined,
  explorationWindowRate: undefined,
  longtermExplorationAllocation: undefined,
  optimizationParameter: undefined,
  metadataField: null,
  higherIsBetter: true,
  isContextual: false,
  metricSourceID: '',
  linkedExperimentName: '',
  goalRichText: '',
  valueColumn: '',
  featureList: [],
  tags: [],
  targetApps: [],
};

const complete = (variants: Update['variants']): Autotune['variants'] =>
  variants.map((variant) => ({ json: {}, size: 0, ...variant }));

/** A new autotune from the body of its creation. */
export function newAutotune(body: z.infer<typeof autotuneCreate>): Draft<Autotune> {
  return {
    ...defaults,
    ...notStarted,
    ...body,
    id: newID(body.id, body.name),
    status: 'setup',
    variants: complete(body.variants),
  };
}

/** 409 where a change touches the variants after the start: it would falsify what was learnt of them. */
function requireUnlocked(before: Autotune, after: Autotune): Autotune {
  if (before.status === 'setup' || dequal(before.variants, after.variants)) return after;
  const errorMessage = 'is locked once the autotune has started';
  throw new Problem(
    'transition',
    `variants is locked while the autotune is in status ${before.status}; reset it first.`,
    { errors: [{ property: 'variants', errorMessage }] },
  );
}

/** An autotune after a full update: what the body leaves out but the name is back at its default. */
export function replaceAutotune(autotune: Autotune, body: Update): Autotune {
  const given = { ...defaults, ...body, variants: complete(body.variants) };
  return requireUnlocked(autotune, { ...autotune, ...given, name: body.name ?? autotune.name });
}

/** An autotune after a partial update. */
export function patchAutotune(autotune: Autotune, body: z.infer<typeof autotunePatch>): Autotune {
  const variants = body.variants && complete(body.variants);
  return requireUnlocked(autotune, merge(autotune, { ...body, variants }));
}

/** An autotune as it is answered. */
export const viewAutotune = (autotune: Autotune): z.infer<typeof autotuneResponse> =>
  show(autotuneResponse, { ...autotune, isStarted: autotune.status === 'active' });
