import type { Context } from 'hono';
import { problemOf, respond } from '../http/respond.ts';
import { problemTypes } from '../problem.ts';

/** Why a flag is not evaluated, in the words of OFREP, and the status that goes with it. */
const statuses = {
  PARSE_ERROR: 400,
  INVALID_CONTEXT: 400,
  TARGETING_KEY_MISSING: 400,
  FLAG_NOT_FOUND: 404,
} as const;

type ErrorCode = keyof typeof statuses;

/** An answer of OFREP that is no evaluation. */
export class EvaluationError extends Error {
  constructor(
    readonly errorCode: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Turns anything thrown into what OpenFeature providers read: `errorCode`, with the `key` of the
 * flag, which a bulk evaluation has none of; of what concerns the API key or the path they read the status alone.
 * See docs/contract/evaluation.md#71-ofrep.
 */
export function onError(error: Error, c: Context): Response {
  const key = c.req.param('key');
  if (error instanceof EvaluationError) {
    const { errorCode, message: errorDetails } = error;
    return c.json({ key, errorCode, errorDetails }, statuses[errorCode]);
  }
  const problem = problemOf(error, c);
  const { status } = problemTypes[problem.code];
  if (status < 500) return respond(c, problem);
  const body = { key, errorCode: 'GENERAL', errorDetails: problem.message };
  return c.json(body, status, problem.details.headers);
}
