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

/** The flag that a path asks for; none in a bulk evaluation. */
const keyOf = (c: Context): { key?: string } => {
  const key = c.req.param('key');
  return key === undefined ? {} : { key };
};

/**
 * Turns anything thrown into what OpenFeature providers read (evaluation, section 7.1): `errorCode`, with the `key` of the
 * flag; of what concerns the API key or the path they read the status alone.
 */
export function onError(error: Error, c: Context): Response {
  if (error instanceof EvaluationError) {
    const { errorCode, message: errorDetails } = error;
    return c.json({ ...keyOf(c), errorCode, errorDetails }, statuses[errorCode]);
  }
  const problem = problemOf(error, c);
  const { status } = problemTypes[problem.code];
  if (status < 500) return respond(c, problem);
  const body = { ...keyOf(c), errorCode: 'GENERAL', errorDetails: problem.message };
  return c.json(body, status, problem.details.headers);
}
