import type { Context } from '../evaluation/context.ts';
import { evaluateFlag, type FlagEvaluation, type FlagKey } from '../evaluation/flags.ts';
import { EvaluationError } from './errors.ts';

const notFound = (key: string) =>
  new EvaluationError('FLAG_NOT_FOUND', `There is no flag with the key ${JSON.stringify(key)}.`);

const unitMissing = (idType: string) =>
  idType.toLowerCase() === 'userid'
    ? new EvaluationError('TARGETING_KEY_MISSING', 'The context has no targetingKey.')
    : new EvaluationError('INVALID_CONTEXT', `The context has no ${idType}.`);

/**
 * Evaluates a flag. Where chance decides and the id is missing that it is drawn by, everybody would be in one group;
 * that is refused.
 * @param found what the key means in the project; undefined for nothing
 * @throws EvaluationError
 */
export function evaluated(
  context: Context,
  key: string,
  found: FlagKey | undefined,
): FlagEvaluation {
  const evaluation = found && evaluateFlag(context, found);
  if (!evaluation) throw notFound(key);
  if (evaluation.missingUnit !== undefined) throw unitMissing(evaluation.missingUnit);
  return evaluation;
}

/**
 * A flag as OFREP answers it, which has no null: without a value, the code of the app decides.
 * See docs/contract/evaluation.md#64-ofrep-result.
 */
export const resultOf = (key: string, { value, reason, variant, metadata }: FlagEvaluation) => ({
  key,
  value: value ?? undefined,
  reason,
  variant,
  metadata,
});

/** A flag as one of many, with how it was evaluated. */
interface Answer {
  readonly item: object;
  readonly evaluation?: FlagEvaluation;
}

/** The same as one of many, where an error is an item like any other. */
export function answerTo(context: Context, key: string, found: FlagKey): Answer {
  try {
    const evaluation = evaluated(context, key, found);
    return { item: resultOf(key, evaluation), evaluation };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { item: { key, errorCode: error.errorCode, errorDetails: error.message } };
  }
}
