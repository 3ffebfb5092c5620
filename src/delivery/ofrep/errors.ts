import type { Context } from 'hono';
import { Problem, problemTypes } from '../../base/problem.ts';
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

/**
 * Seconds. While the web provider waits after a bulk request, it shows the flags of the user before, and it never
 * repeats a first request that failed.
 */
const longestBulkWait = 5;

function withShortWait(problem: Problem): Problem {
  const { headers = {} } = problem.details;
  const wait = headers['Retry-After'];
  if (wait === undefined || Number(wait) <= longestBulkWait) return problem;
  return new Problem(problem.code, problem.message, {
    ...problem.details,
    headers: { ...headers, 'Retry-After': String(longestBulkWait) },
  });
}

/** Converts an error: providers read only the status for some. See docs/contract/evaluation.md#71-ofrep. */
export function onOFREPError(error: Error, c: Context): Response {
  const key = c.req.param('key');
  if (error instanceof EvaluationError) {
    const { errorCode, message: errorDetails } = error;
    return c.json({ key, errorCode, errorDetails }, statuses[errorCode]);
  }
  const given = problemOf(error, c);
  const problem = key === undefined ? withShortWait(given) : given;
  const { status } = problemTypes[problem.code];
  if (status < 500) return respond(c, problem);
  const body = { key, errorCode: 'GENERAL', errorDetails: problem.message };
  return c.json(body, status, problem.details.headers);
}
