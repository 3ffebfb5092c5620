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

/** The settings of an autotune of which a full update says nothing. */
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

/** Completes the variants of a body: those without a size share what the others leave equally. */
function complete(variants: Update['variants']): Autotune['variants'] {
  const sizes = variants.flatMap(({ size }) => size ?? []);
  const rest = Math.max(0, restOf(sizes));
  const share = Math.round((rest * 10_000) / (variants.length - sizes.length)) / 10_000;
  return variants.map((variant) => ({ json: {}, size: share, ...variant }));
}

/** A new autotune from the body of its creation. */
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

/** An autotune as an earlier version has it. A version that had not started resets it, and so frees its variants. */
export const restoreAutotune = (snapshot: Autotune, current: Autotune | undefined): Autotune =>
  current && snapshot.status !== 'setup' ? requireUnlocked(current, snapshot) : snapshot;

/** What stays after the start: variants, of which something is learnt, and what draws a unit into one of them. */
const locked = ['variants', 'idType', 'startTime'] as const;

/** 409 where a change touches what is locked from the start of an autotune until its reset. */
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
 * An autotune after a full update: a setting that it leaves out is back at its default.
 * See docs/contract/api.md#13-post-consolev1autotunesid.
 */
export function replaceAutotune(autotune: Autotune, body: Update): Autotune {
  const given = { ...body, variants: complete(body.variants) };
  const cleared: Autotune = { ...autotune, ...defaults };
  return requireUnlocked(autotune, merge(cleared, given));
}

/** An autotune after a partial update. */
export function patchAutotune(autotune: Autotune, body: z.infer<typeof autotunePatch>): Autotune {
  const variants = body.variants && complete(body.variants);
  return requireUnlocked(autotune, merge(autotune, { ...body, variants }));
}

/** 400 for an autotune from elsewhere in a state that no change leads to: a decided one is so for a variant of its own. */
export function requireAutotuneReached({ status, variants, decidedVariant }: Autotune): void {
  const isReached =
    status === 'decision_made'
      ? variants.some(({ name }) => name === decidedVariant)
      : decidedVariant === null;
  if (isReached) return;
  const errorMessage = 'must be the variant that a decided autotune was decided for, or else null';
  throw Problem.property('decidedVariant', errorMessage);
}

/** An autotune as it is answered. */
export const viewAutotune = (autotune: Autotune): z.infer<typeof autotuneResponse> =>
  show(autotuneResponse, autotune, { isStarted: autotune.status === 'active' });
