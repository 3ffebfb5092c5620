import type { EvaluationContext } from '../../engine/evaluation/context.ts';
import { evaluateFlag, type FlagEvaluation, type FlagKey } from '../../engine/evaluation/flags.ts';
import { EvaluationError } from './errors.ts';

const flagNotFound = (key: string) =>
  new EvaluationError('FLAG_NOT_FOUND', `There is no flag with the key ${JSON.stringify(key)}.`);

const unitMissing = (idType: string) =>
  idType.toLowerCase() === 'userid'
    ? new EvaluationError('TARGETING_KEY_MISSING', 'The context must have a targetingKey.')
    : new EvaluationError('INVALID_CONTEXT', `The context must have the unit ID ${idType}.`);

/** Evaluates a flag. `@throws EvaluationError` if it or a unit ID is missing: users without one would share a group. */
export function evaluateKey(
  context: EvaluationContext,
  key: string,
  found: FlagKey | undefined,
): FlagEvaluation {
  const evaluation = found && evaluateFlag(context, found);
  if (!evaluation) throw flagNotFound(key);
  if (evaluation.missingUnit !== undefined) throw unitMissing(evaluation.missingUnit);
  return evaluation;
}

/** OFREP has no null: without a value, the app uses its default. See docs/contract/evaluation.md#64-ofrep-result. */
export const flagResult = (key: string, { value, reason, variant, metadata }: FlagEvaluation) => ({
  key,
  value: value ?? undefined,
  reason,
  variant,
  metadata,
});

interface BulkItem {
  readonly item: object;
  readonly evaluation?: FlagEvaluation;
}

/** Evaluates a flag of a bulk evaluation, where an error is a result too. */
export function bulkItem(context: EvaluationContext, key: string, found: FlagKey): BulkItem {
  try {
    const evaluation = evaluateKey(context, key, found);
    return { item: flagResult(key, evaluation), evaluation };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { item: { key, errorCode: error.errorCode, errorDetails: error.message } };
  }
}
