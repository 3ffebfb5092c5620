import { Hono } from 'hono';
import type { Service } from '../env.ts';
import { segmentName } from '../evaluation/compile/conditions.ts';
import { unbounded } from '../evaluation/compile.ts';
import { type Context, contextOf } from '../evaluation/context.ts';
import { evaluate } from '../evaluation/evaluate.ts';
import { evaluateStore } from '../evaluation/param_store.ts';
import type { Project, Spec } from '../evaluation/spec.ts';
import { traceOf } from '../evaluation/trace.ts';
import { environmentOf, hasLongID, longIDFault, sdkTier, sdkUser } from '../evaluation/user.ts';
import { oneOf } from '../http/envelope.ts';
import { requires } from '../http/scope.ts';
import { settled } from '../http/settling.ts';
import { told } from '../http/success.ts';
import { doc, valid } from '../http/valid.ts';
import { withWarnings } from '../http/warnings.ts';
import { Problem } from '../problem.ts';
import { allDue } from '../resources/due.ts';
import { latest } from '../serving/current.ts';
import { logIfSpent } from '../serving/spent_patterns.ts';
import { inWords } from '../shared/english.ts';
import { explainBody, type explainedKinds, explanation } from './schema.ts';

type Kind = (typeof explainedKinds)[number];

/** The spec that is evaluated for an entity, by its kind. */
function specOf({ gates, configs, layers }: Project, kind: Kind, id: string): Spec | undefined {
  if (kind === 'gate') return gates.get(id);
  if (kind === 'holdout') return gates.get(`holdout:${id}`) ?? gates.get(id);
  if (kind === 'segment') return gates.get(segmentName(id));
  return kind === 'layer' ? layers.get(id) : configs.get(id);
}

/** What a user gets, and why; nothing where the project serves no such entity. */
function explained(context: Context, kind: Kind, id: string) {
  if (kind === 'param_store') {
    const store = context.project.paramStores.get(id);
    if (!store) return undefined;
    const { values, asked } = evaluateStore(context, store);
    return { value: values, traces: asked.map(({ evaluation }) => traceOf(evaluation)) };
  }
  const spec = specOf(context.project, kind, id);
  const wanted = kind === 'gate' ? 'feature_gate' : kind;
  if (spec?.entity !== wanted) return undefined;
  const trace = traceOf(evaluate(context, spec));
  return { value: trace.value, traces: [trace] };
}

/** 404 for what no user is given. It may well be there, so that it is not said to be gone. */
function unserved(kind: Kind, id: string): Problem {
  const elsewhere = kind === 'experiment' ? ', or its groups are assigned elsewhere' : '';
  const why = `there is none, or it is archived${elsewhere}`;
  return new Problem('not_found', `No ${inWords(kind)} with the id ${id} is evaluated: ${why}.`);
}

/** What any user gets at any moment, and why. Nothing of it is counted. */
export const explainRoutes = new Hono<Service>().use(requires('read')).post(
  '/',
  doc('Explain what a user gets of an entity', 'Evaluated successfully.', oneOf(explanation), {
    reads: true,
  }),
  valid('json', explainBody),
  async (c) => {
    const { user, kind, id, asStarted = false, now = Date.now() } = c.req.valid('json');
    const asked = sdkUser(user, environmentOf(null, sdkTier(user)));
    if (hasLongID(asked)) throw Problem.property('user', longIDFault);
    const snapshot = await settled(c, allDue, undefined, () => latest(c.get('db')));
    const project = asStarted
      ? snapshot.projectAsStarted(unbounded, id)
      : snapshot.project(unbounded);
    const context = contextOf(project, asked, now, true);
    const found = explained(context, kind, id);
    logIfSpent(context, c.get('requestId'), Date.now());
    if (!found) throw unserved(kind, id);
    return withWarnings(c, c.json({ message: told(c), data: { kind, id, ...found } }), []);
  },
);
