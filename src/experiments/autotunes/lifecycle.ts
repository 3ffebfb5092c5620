import type * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { Autotune, AutotuneStatus, decisionBody } from './schema.ts';

interface AutotuneTransition {
  from: readonly AutotuneStatus[];
  to: AutotuneStatus;
  done: string;
}

export const moves = {
  start: { from: ['setup'], to: 'active', done: 'started' },
  make_decision: { from: ['active'], to: 'decision_made', done: 'decided' },
  reset: { from: ['active', 'decision_made'], to: 'setup', done: 'reset' },
} as const satisfies Record<string, AutotuneTransition>;

type AutotuneTransitionName = keyof typeof moves;

export const initialRun = {
  startTime: null,
  decidedVariant: null,
  decisionReason: null,
  decisionTime: null,
  weights: undefined,
} as const satisfies Partial<Autotune>;

const effects: Record<AutotuneTransitionName, (now: number) => Partial<Autotune>> = {
  start: (now) => ({ startTime: now }),
  make_decision: (now) => ({ decisionTime: now }),
  reset: () => initialRun,
};

/** Moves an autotune along its lifecycle, at `now` in epoch milliseconds. @throws Problem 409 naming the status. */
export function moveAutotune(
  autotune: Autotune,
  name: AutotuneTransitionName,
  now: number,
  given: Partial<Autotune> = {},
): Autotune {
  const { from, to, done }: AutotuneTransition = moves[name];
  if (!from.includes(autotune.status))
    throw new Problem(
      'transition',
      `The autotune is in status ${autotune.status}, in which it cannot be ${done}.`,
    );
  return { ...autotune, ...effects[name](now), ...given, status: to };
}

/** Starts an autotune, in epoch milliseconds. @throws Problem 400 for a start in the future, 409 naming the status. */
export function startAutotune(autotune: Autotune, now: number, startTime = now): Autotune {
  if (startTime > now) throw Problem.property('startTime', 'must not be in the future');
  return moveAutotune(autotune, 'start', startTime);
}

/** Makes a decision for a variant. `now` in epoch milliseconds. @throws Problem 400 for an unknown variant. */
export function decideAutotune(
  autotune: Autotune,
  { id, decisionReason }: z.infer<typeof decisionBody>,
  now: number,
): Autotune {
  if (!autotune.variants.some(({ name }) => name === id))
    throw Problem.property('id', 'must be the name of a variant of this autotune');
  return moveAutotune(autotune, 'make_decision', now, { decidedVariant: id, decisionReason });
}
