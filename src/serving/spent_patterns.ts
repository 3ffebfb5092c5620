import type { Context } from '../evaluation/context.ts';
import { mostPatternSteps } from '../evaluation/pattern_budget.ts';

/** How often an isolate logs that a budget was spent, in milliseconds. */
const every = 60_000;

let loggedTime = Number.NEGATIVE_INFINITY;

const message = `The str_matches conditions of one request took more than ${mostPatternSteps} steps: those left matched nothing. Make their patterns simpler.`;

/** Logs, once a minute, that the patterns of a request spent their budget. `now` in epoch milliseconds. */
export function logIfSpent({ patterns }: Context, requestId: string, now: number): void {
  if (!patterns.isSpent || now - loggedTime < every) return;
  loggedTime = now;
  console.error(JSON.stringify({ requestId, patterns: 'spent', message }));
}
