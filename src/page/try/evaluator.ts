// What decides in production, for the rules as they stand on the screen. Loaded when it is first asked: it is a third of
// what the page itself is.

import { segmentName } from '../../evaluation/compile/conditions.ts';
import { compile, unbounded } from '../../evaluation/compile.ts';
import { contextOf } from '../../evaluation/context.ts';
import type { Entities } from '../../evaluation/entities.ts';
import { evaluate } from '../../evaluation/evaluate.ts';
import { type Trace, traceOf } from '../../evaluation/trace.ts';
import { environmentOf, sdkTier, sdkUser } from '../../evaluation/user.ts';

export type { Entities, Trace };

/** What is asked about: the kinds whose rules are edited. */
export type Asked = { kind: 'gate' | 'segment' | 'dynamic_config'; id: string };

/**
 * What a user gets, and why.
 * @param user as SDKs send it
 * @returns undefined where nothing of it is served, as of what is archived
 */
export function tryOut(
  entities: Entities,
  { kind, id }: Asked,
  user: Record<string, unknown>,
): Trace | undefined {
  const project = compile(entities, unbounded);
  const asked = sdkUser(user, environmentOf(null, sdkTier(user)));
  const { gates, configs } = project;
  const spec =
    kind === 'dynamic_config' ? configs.get(id) : gates.get(kind === 'gate' ? id : segmentName(id));
  return spec && traceOf(evaluate(contextOf(project, asked, Date.now(), true), spec));
}
