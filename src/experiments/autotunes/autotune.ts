import type * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import { merge, show } from '../../base/fields.ts';
import { newID } from '../../base/ids.ts';
import { Problem } from '../../base/problem.ts';
import { restOf } from '../../engine/evaluation/shares.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { initialRun } from './lifecycle.ts';
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

function withSizes(variants: Update['variants']): Autotune['variants'] {
  const sizes = variants.flatMap(({ size }) => size ?? []);
  const rest = Math.max(0, restOf(sizes));
  const share = Math.round((rest * 10_000) / (variants.length - sizes.length)) / 10_000;
  return variants.map((variant) => ({ json: {}, size: share, ...variant }));
}

/** Returns a new autotune from a creation body. */
export function newAutotune(body: z.infer<typeof autotuneCreate>): Draft<Autotune> {
  return {
    ...defaults,
    idType: 'userID',
    tags: [],
    targetApps: [],
    ...initialRun,
    ...body,
    id: newID(body.id, body.name),
    status: 'setup',
    variants: withSizes(body.variants),
  };
}

/** Returns an earlier version to restore. A version in setup resets the autotune, which unlocks its variants. */
export const restoreAutotune = (snapshot: Autotune, current: Autotune | undefined): Autotune =>
  current && snapshot.status !== 'setup'
    ? { ...requireUnlockedAutotune(current, snapshot), weights: current.weights }
    : snapshot;

const lockedProperties = ['variants', 'idType', 'startTime'] as const;

function requireUnlockedAutotune(before: Autotune, after: Autotune): Autotune {
  if (before.status === 'setup') return after;
  const property = lockedProperties.find((one) => !isEqual(before[one], after[one]));
  if (!property) return after;
  throw new Problem(
    'transition',
    `${property} cannot be changed while the autotune is in status ${before.status}; reset it first.`,
    { errors: [{ property, errorMessage: 'must not change once the autotune has started' }] },
  );
}

/** Resets absent settings to their defaults. See docs/contract/api.md#13-post-consolev1autotunesid. */
export function replaceAutotune(autotune: Autotune, body: Update): Autotune {
  const given = { ...body, variants: withSizes(body.variants) };
  const cleared: Autotune = { ...autotune, ...defaults };
  return requireUnlockedAutotune(autotune, merge(cleared, given));
}

/** Returns an autotune after a partial update. */
export function patchAutotune(autotune: Autotune, body: z.infer<typeof autotunePatch>): Autotune {
  const variants = body.variants && withSizes(body.variants);
  return requireUnlockedAutotune(autotune, merge(autotune, { ...body, variants }));
}

/** Refuses an imported autotune whose decision contradicts its status. @throws Problem 400 for `decidedVariant`. */
export function requireReachableAutotune({ status, variants, decidedVariant }: Autotune): void {
  const isValid =
    status === 'decision_made'
      ? variants.some(({ name }) => name === decidedVariant)
      : decidedVariant === null;
  if (isValid) return;
  const errorMessage =
    'must be a variant of the autotune if a decision was made, or null otherwise';
  throw Problem.property('decidedVariant', errorMessage);
}

/** Returns the response of an autotune. */
export const viewAutotune = (autotune: Autotune): z.infer<typeof autotuneResponse> =>
  show(autotuneResponse, autotune, { isStarted: autotune.status === 'active' });
