// The production evaluator. It is a separate script because it is a third of the size of the page's script.

import { segmentName } from '../../engine/evaluation/compile/conditions.ts';
import { compileSpec, unboundedScope } from '../../engine/evaluation/compile.ts';
import { contextOf } from '../../engine/evaluation/context.ts';
import type { Entities } from '../../engine/evaluation/entities.ts';
import { evaluate } from '../../engine/evaluation/evaluate.ts';
import { type Trace, traceOf } from '../../engine/evaluation/trace.ts';
import { environmentOf, sdkTier, sdkUser } from '../../engine/evaluation/user.ts';

export type { Entities, Trace };

export type EvaluationTarget = { kind: 'gate' | 'segment' | 'dynamic_config'; id: string };

/** Evaluates for a user in SDK format and returns the trace; undefined if not served, for example if archived. */
export function tryOut(
  entities: Entities,
  { kind, id }: EvaluationTarget,
  user: Record<string, unknown>,
): Trace | undefined {
  const project = compileSpec(entities, unboundedScope);
  const evaluatedUser = sdkUser(user, environmentOf(null, sdkTier(user)));
  const { gates, configs } = project;
  const spec =
    kind === 'dynamic_config' ? configs.get(id) : gates.get(kind === 'gate' ? id : segmentName(id));
  return spec && traceOf(evaluate(contextOf(project, evaluatedUser, Date.now(), true), spec));
}
