import { minuteLength } from '../../base/time.ts';
import type { EvaluationContext } from '../../engine/evaluation/context.ts';
import { maxPatternSteps } from '../../engine/evaluation/pattern_budget.ts';

const logInterval = minuteLength;

let loggedTime = Number.NEGATIVE_INFINITY;

const message = `The str_matches conditions of one request took more than ${maxPatternSteps} steps, so the remaining ones did not match. Simplify the patterns.`;

/** Logs at most once a minute that a request spent its pattern budget. `now` in epoch milliseconds. */
export function logIfSpent({ patterns }: EvaluationContext, requestId: string, now: number): void {
  if (!patterns.isSpent || now - loggedTime < logInterval) return;
  loggedTime = now;
  console.error(JSON.stringify({ requestId, patterns: 'spent', message }));
}
