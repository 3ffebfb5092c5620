import { Hono } from 'hono';
import { inWords } from '../../base/english.ts';
import { Problem } from '../../base/problem.ts';
import { segmentName } from '../../engine/evaluation/compile/conditions.ts';
import { unboundedScope } from '../../engine/evaluation/compile.ts';
import { contextOf, type EvaluationContext } from '../../engine/evaluation/context.ts';
import { evaluate } from '../../engine/evaluation/evaluate.ts';
import { evaluateStore } from '../../engine/evaluation/param_store.ts';
import type { Project, Spec } from '../../engine/evaluation/spec.ts';
import { traceOf } from '../../engine/evaluation/trace.ts';
import {
  environmentOf,
  hasLongID,
  longIDFault,
  sdkTier,
  sdkUser,
} from '../../engine/evaluation/user.ts';
import { allOverdue } from '../../experiments/overdue.ts';
import type { Service } from '../../platform/env.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { readCurrent } from '../../platform/http/overdue.ts';
import { requires } from '../../platform/http/scope.ts';
import { readMessage } from '../../platform/http/success.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { withWarnings } from '../../platform/http/warnings.ts';
import { latestSnapshot } from '../serving/current.ts';
import { logIfSpent } from '../serving/spent_patterns.ts';
import { explainBody, type explainedKinds, explanation } from './schema.ts';

type ExplainedKind = (typeof explainedKinds)[number];

function specOf(
  { gates, configs, layers }: Project,
  kind: ExplainedKind,
  id: string,
): Spec | undefined {
  if (kind === 'gate') return gates.get(id);
  if (kind === 'holdout') return gates.get(`holdout:${id}`) ?? gates.get(id);
  if (kind === 'segment') return gates.get(segmentName(id));
  return kind === 'layer' ? layers.get(id) : configs.get(id);
}

function explanationOf(context: EvaluationContext, kind: ExplainedKind, id: string) {
  if (kind === 'param_store') {
    const store = context.project.paramStores.get(id);
    if (!store) return undefined;
    const { values, evaluations } = evaluateStore(context, store);
    return { value: values, traces: evaluations.map(({ evaluation }) => traceOf(evaluation)) };
  }
  const spec = specOf(context.project, kind, id);
  const entity = kind === 'gate' ? 'feature_gate' : kind;
  if (spec?.entity !== entity) return undefined;
  const trace = traceOf(evaluate(context, spec));
  return { value: trace.value, traces: [trace] };
}

/** The entity may exist without being evaluated. */
function notEvaluated(kind: ExplainedKind, id: string): Problem {
  const elsewhere = kind === 'experiment' ? ', or its groups are assigned elsewhere' : '';
  const why = `it does not exist, or is archived${elsewhere}`;
  return new Problem('not_found', `No ${inWords(kind)} with the ID ${id} is evaluated: ${why}.`);
}

/** Explains the value of any user at any time. These evaluations are not counted. */
export const explainRoutes = new Hono<Service>().use(requires('read')).post(
  '/',
  doc(
    'Explain what a user gets of an entity',
    'Evaluated successfully.',
    dataEnvelope(explanation),
    {
      reads: true,
    },
  ),
  valid('json', explainBody),
  async (c) => {
    const { user, kind, id, asStarted = false, now = Date.now() } = c.req.valid('json');
    const evaluatedUser = sdkUser(user, environmentOf(null, sdkTier(user)));
    if (hasLongID(evaluatedUser)) throw Problem.property('user', longIDFault);
    const snapshot = await readCurrent(c, allOverdue, undefined, () => latestSnapshot(c.get('db')));
    const project = asStarted
      ? snapshot.projectAsStarted(unboundedScope, id)
      : snapshot.project(unboundedScope);
    const context = contextOf(project, evaluatedUser, now, true);
    const found = explanationOf(context, kind, id);
    logIfSpent(context, c.get('requestId'), Date.now());
    if (!found) throw notEvaluated(kind, id);
    return withWarnings(c, c.json({ message: readMessage(c), data: { kind, id, ...found } }), []);
  },
);
