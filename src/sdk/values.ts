import type { Context } from 'hono';
import * as z from 'zod';
import type { Evaluation, Context as EvaluationContext } from '../evaluation/context.ts';
import { evaluate, groupName } from '../evaluation/evaluate.ts';
import { hasFlag } from '../evaluation/flags.ts';
import { initialize } from '../evaluation/initialize.ts';
import { configKinds, type FlagKind, type Values } from '../evaluation/spec.ts';
import { Problem } from '../problem.ts';
import { count } from '../serving/count.ts';
import type { Door } from '../serving/door.ts';
import { sightingsOf } from '../serving/sightings.ts';
import { askedBy, object } from './asked.ts';
import { bytesIn, objectOf } from './body.ts';

const hash = z.enum(['none', 'djb2', 'sha256']).catch('sha256');

/** Answers all that a user gets, to an SDK of a client. */
export async function answerInitialize(c: Context<Door>) {
  const body = objectOf(c, await bytesIn(c));
  const { time } = c.get('snapshot');
  return c.json(initialize(askedBy(c, body), { hash: hash.parse(body.hash), time }));
}

/** Whether an app reports what it shows by itself. */
const reportsItself = ({ statsigMetadata }: Values) =>
  object.parse(statsigMetadata).exposureLoggingDisabled === true;

/** What a request asks for by name. */
interface Request {
  readonly c: Context<Door>;
  readonly body: Values;
  readonly context: EvaluationContext;
}

function requested(c: Context<Door>, bytes: Uint8Array): Request {
  const body = objectOf(c, bytes);
  return { c, body, context: askedBy(c, body) };
}

/**
 * Evaluates what is asked for by name, and counts it; nothing where there is no such thing. What the project has for itself
 * alone, such as a segment, is not there to be asked.
 */
function evaluationOf(
  { c, body, context }: Request,
  list: 'gates' | 'configs' | 'layers',
  kinds: readonly FlagKind[],
  name: string,
): Evaluation | undefined {
  const { project, user, now } = context;
  const spec = hasFlag(project, kinds, name) ? project[list].get(name) : undefined;
  if (!spec) return undefined;
  const evaluation = evaluate(context, spec);
  if (!reportsItself(body)) count(c, sightingsOf({ evaluation }, user, now));
  return evaluation;
}

/** The name that a body has in a property; 400 where it has none. */
function nameIn(body: Values, property: string): string {
  const name = body[property];
  if (typeof name !== 'string') throw Problem.property(property, 'must be a text');
  return name;
}

const gateAnswer = (asked: string, evaluation: Evaluation | undefined) => ({
  name: asked,
  value: evaluation?.passes ?? false,
  rule_id: evaluation?.ruleID ?? null,
  group_name: evaluation ? groupName(evaluation) : null,
});

const gateNames = z.array(z.string()).max(1000);

/** Answers whether a user passes a gate, or each of several. */
export async function answerGate(c: Context<Door>) {
  const request = requested(c, await bytesIn(c));
  const { body } = request;
  const answer = (asked: string) =>
    gateAnswer(asked, evaluationOf(request, 'gates', ['gate'], asked));
  if (body.gateNames === undefined) return c.json(answer(nameIn(body, 'gateName')));
  const { data } = gateNames.safeParse(body.gateNames);
  if (!data) throw Problem.property('gateNames', 'must be a list of up to 1000 texts');
  return c.json(Object.fromEntries(data.map((asked) => [asked, answer(asked)])));
}

/** Answers what a user gets of a dynamic config, experiment or autotune. */
export async function answerConfig(c: Context<Door>) {
  const request = requested(c, await bytesIn(c));
  const asked = nameIn(request.body, 'configName');
  const found = evaluationOf(request, 'configs', configKinds, asked);
  return c.json({
    name: asked,
    value: found?.value ?? {},
    group: found?.ruleID ?? '',
    rule_id: found?.ruleID ?? null,
    group_name: found ? groupName(found) : null,
  });
}

/** Answers what a user gets of a layer; 404 where there is none. */
export async function answerLayer(c: Context<Door>) {
  const request = requested(c, await bytesIn(c));
  const asked = nameIn(request.body, 'layerName');
  const found = evaluationOf(request, 'layers', ['layer'], asked);
  if (!found) throw new Problem('not_found', `There is no layer ${asked}.`);
  const { value, ruleID, delegate } = found;
  return c.json({
    name: asked,
    value,
    ruleID,
    allocatedExperimentName: delegate?.spec.name ?? null,
  });
}
