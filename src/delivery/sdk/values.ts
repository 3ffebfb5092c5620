import type { Context } from 'hono';
import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import type { Evaluation, EvaluationContext } from '../../engine/evaluation/context.ts';
import { evaluate, groupName } from '../../engine/evaluation/evaluate.ts';
import { hasFlag } from '../../engine/evaluation/flags.ts';
import { initialize } from '../../engine/evaluation/initialize.ts';
import { configKinds, type FlagKind } from '../../engine/evaluation/spec.ts';
import { senderOf } from '../serving/caller.ts';
import type { ClientApi } from '../serving/client_api.ts';
import { countEvents } from '../serving/count.ts';
import { exposureEventsOf } from '../serving/exposure_events.ts';
import { bodyObject, readBodyBytes } from './body.ts';
import { objectOrEmpty, sdkContext } from './request_context.ts';

const hash = z.enum(['none', 'djb2', 'sha256']).catch('sha256');

export async function respondWithAllValues(c: Context<ClientApi>) {
  const body = bodyObject(c, await readBodyBytes(c));
  const { time } = c.get('snapshot');
  return c.json(initialize(sdkContext(c, body), { hash: hash.parse(body.hash), time }));
}

const reportsExposures = ({ statsigMetadata }: ReadonlyRecord) =>
  objectOrEmpty.parse(statsigMetadata).exposureLoggingDisabled === true;

interface FlagRequest {
  readonly c: Context<ClientApi>;
  readonly body: ReadonlyRecord;
  readonly context: EvaluationContext;
}

function parseRequest(c: Context<ClientApi>, bytes: Uint8Array): FlagRequest {
  const body = bodyObject(c, bytes);
  return { c, body, context: sdkContext(c, body) };
}

function evaluationOf(
  { c, body, context }: FlagRequest,
  list: 'gates' | 'configs' | 'layers',
  kinds: readonly FlagKind[],
  name: string,
): Evaluation | undefined {
  const { project, user, now } = context;
  const spec = hasFlag(project, kinds, name) ? project[list].get(name) : undefined;
  if (!spec) return undefined;
  const evaluation = evaluate(context, spec);
  const sender = senderOf(c.get('caller'));
  if (!reportsExposures(body)) countEvents(c, exposureEventsOf({ evaluation }, user, sender, now));
  return evaluation;
}

function nameIn(body: ReadonlyRecord, property: string): string {
  const name = body[property];
  if (typeof name !== 'string') throw Problem.property(property, 'must be a text');
  return name;
}

const gateResponse = (name: string, evaluation: Evaluation | undefined) => ({
  name,
  value: evaluation?.passes ?? false,
  rule_id: evaluation?.ruleID ?? null,
  group_name: evaluation ? groupName(evaluation) : null,
});

const gateNames = z.array(z.string()).max(1000);

/** Responds with whether a user passes a gate, or each of several gates. */
export async function respondWithGate(c: Context<ClientApi>) {
  const request = parseRequest(c, await readBodyBytes(c));
  const { body } = request;
  const responseFor = (name: string) =>
    gateResponse(name, evaluationOf(request, 'gates', ['gate'], name));
  if (body.gateNames === undefined) return c.json(responseFor(nameIn(body, 'gateName')));
  const { data } = gateNames.safeParse(body.gateNames);
  if (!data) throw Problem.property('gateNames', 'must be an array of at most 1000 texts');
  return c.json(Object.fromEntries(data.map((name) => [name, responseFor(name)])));
}

/** Responds with a user's value of a dynamic config, experiment or autotune. */
export async function respondWithConfig(c: Context<ClientApi>) {
  const request = parseRequest(c, await readBodyBytes(c));
  const name = nameIn(request.body, 'configName');
  const evaluation = evaluationOf(request, 'configs', configKinds, name);
  return c.json({
    name,
    value: evaluation?.value ?? {},
    group: evaluation?.ruleID ?? '',
    rule_id: evaluation?.ruleID ?? null,
    group_name: evaluation ? groupName(evaluation) : null,
  });
}

/** Responds with a user's values of a layer. `@throws Problem` 404 if there is no such layer. */
export async function respondWithLayer(c: Context<ClientApi>) {
  const request = parseRequest(c, await readBodyBytes(c));
  const name = nameIn(request.body, 'layerName');
  const evaluation = evaluationOf(request, 'layers', ['layer'], name);
  if (!evaluation) throw new Problem('not_found', `There is no layer ${name}.`);
  const { value, ruleID, delegate } = evaluation;
  return c.json({
    name,
    value,
    ruleID,
    allocatedExperimentName: delegate?.spec.name ?? null,
  });
}
