import type * as z from 'zod';
import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import { merge, show } from '../../shared/fields.ts';
import { newID } from '../../shared/ids.ts';
import { restOf } from '../../shared/shares.ts';
import type { Draft } from '../../store/core/transaction.ts';
import { notStarted } from './lifecycle.ts';
import {
  type Autotune,
  type autotuneCreate,
  type autotunePatch,
  autotuneResponse,
  type autotuneUpdate,
} from './schema.ts';

type Update = z.infer<typeof autotuneUpdate>;

const defaults = {
  description: '',
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
};

/** Completes the variants of a body: variants without a size share the rest equally. */
function complete(variants: Update['variants']): Autotune['variants'] {
  const sizes = variants.flatMap(({ size }) => size ?? []);
  const rest = Math.max(0, restOf(sizes));
  const share = Math.round((rest * 10_000) / (variants.length - sizes.length)) / 10_000;
  return variants.map((variant) => ({ json: {}, size: share, ...variant }));
}

export function newAutotune(body: z.infer<typeof autotuneCreate>): Draft<Autotune> {
  return {
    ...defaults,
    idType: 'userID',
    tags: [],
    targetApps: [],
    ...notStarted,
    ...body,
    id: newID(body.id, body.name),
    status: 'setup',
    variants: complete(body.variants),
  };
}

/** Restores an earlier version. A version that had not started resets the autotune, and so unlocks its variants. */
export const restoreAutotune = (snapshot: Autotune, current: Autotune | undefined): Autotune =>
  current && snapshot.status !== 'setup' ? requireUnlocked(current, snapshot) : snapshot;

/** Locked from the start until a reset: variants with collected data, and the assignment of units to them. */
const locked = ['variants', 'idType', 'startTime'] as const;

/** @throws Problem 409 if a change touches a locked property of a started autotune */
function requireUnlocked(before: Autotune, after: Autotune): Autotune {
  if (before.status === 'setup') return after;
  const property = locked.find((one) => !isEqual(before[one], after[one]));
  if (!property) return after;
  throw new Problem(
    'transition',
    `${property} cannot be changed while the autotune is in status ${before.status}; reset it first.`,
    { errors: [{ property, errorMessage: 'cannot be changed once the autotune has started' }] },
  );
}

/**
 * Applies a full update: a missing setting gets its default. See docs/contract/api.md#13-post-consolev1autotunesid.
 */
export function replaceAutotune(autotune: Autotune, body: Update): Autotune {
  const given = { ...body, variants: complete(body.variants) };
  const cleared: Autotune = { ...autotune, ...defaults };
  return requireUnlocked(autotune, merge(cleared, given));
}

export function patchAutotune(autotune: Autotune, body: z.infer<typeof autotunePatch>): Autotune {
  const variants = body.variants && complete(body.variants);
  return requireUnlocked(autotune, merge(autotune, { ...body, variants }));
}

/** @throws Problem 400 for an imported autotune in a state that no change leads to */
export function requireAutotuneReached({ status, variants, decidedVariant }: Autotune): void {
  const isReached =
    status === 'decision_made'
      ? variants.some(({ name }) => name === decidedVariant)
      : decidedVariant === null;
  if (isReached) return;
  const errorMessage = 'must be the variant that a decided autotune was decided for, or else null';
  throw Problem.property('decidedVariant', errorMessage);
}

export const viewAutotune = (autotune: Autotune): z.infer<typeof autotuneResponse> =>
  show(autotuneResponse, autotune, { isStarted: autotune.status === 'active' });
