import type { Context } from 'hono';
import { problemTypes } from '../../base/problem.ts';
import { problemOf, respond } from '../../platform/http/respond.ts';

const statuses = {
  PARSE_ERROR: 400,
  INVALID_CONTEXT: 400,
  TARGETING_KEY_MISSING: 400,
  FLAG_NOT_FOUND: 404,
} as const;

type ErrorCode = keyof typeof statuses;

export class EvaluationError extends Error {
  constructor(
    readonly errorCode: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Converts an error: providers read only the status for some. See docs/contract/evaluation.md#71-ofrep. */
export function onOFREPError(error: Error, c: Context): Response {
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
