import { hashedUnit, holdsFor, valueSeen } from './conditions.ts';
import type { Context, Draw, Evaluation, Exposure, Judgement, Step } from './context.ts';
import { bucketOf } from './hash.ts';
import { isMissing } from './readings.ts';
import type { Condition, Rule, Spec } from './spec.ts';
import { unitOf } from './user.ts';

/** Pass percentages have steps of 0.01. */
const drawCount = 10_000;

const isGate = ({ type }: Condition) => type === 'pass_gate' || type === 'fail_gate';

const isBucket = ({ type }: Condition) => type === 'user_bucket';

const missingOf = (context: Context, idType: string): string | undefined =>
  isMissing(unitOf(context.user, idType)) ? idType : undefined;

/** The gate that a condition asks. A compiled project has every gate that it asks; another lets nobody pass. */
function askGate(context: Context, condition: Condition): Judgement {
  const spec = context.project.gates.get(String(condition.targetValue));
  const gate = spec && evaluate(context, spec);
  const passes = gate?.passes === true;
  const holds = passes === (condition.type === 'pass_gate');
  return { condition, seen: passes, holds, gate, missingUnit: gate?.missingUnit };
}

function judge(context: Context, condition: Condition): Judgement {
  if (isGate(condition)) return askGate(context, condition);
  const seen = valueSeen(context, condition);
  const holds = holdsFor(context, condition, seen);
  const missingUnit = isBucket(condition) ? missingOf(context, condition.idType) : undefined;
  return { condition, seen, holds, missingUnit };
}

/**
 * Returns the rule that the unit's bucket alone leads to: the first one that asks for nothing but buckets and holds.
 * Targeting, overrides and holdouts are not looked at. Undefined if the bucket leads to no rule.
 */
export const ruleOfBucket = (context: Context, rules: readonly Rule[]): Rule | undefined =>
  rules.find(
    ({ conditions }) =>
      conditions.length > 0 &&
      conditions.every((condition) => isBucket(condition) && judge(context, condition).holds),
  );

/**
 * Whether a rule whose conditions hold passes. The comparison is in doubles as it stands: 0.07 * 100 is a little more
 * than 7 and lets bucket 7 pass, in every SDK alike.
 */
export function draw(context: Context, spec: Spec, { passPercentage, salt, idType }: Rule): Draw {
  if (passPercentage === 0 || passPercentage === 100) return { passes: passPercentage === 100 };
  const unit = hashedUnit(unitOf(context.user, idType));
  const bucket = bucketOf(`${spec.salt}.${salt}.${unit}`, drawCount);
  const missingUnit = missingOf(context, idType);
  return { passes: bucket < passPercentage * 100, bucket, missingUnit };
}

/** Exposures in their order, by a text that equal ones share. */
type Exposures = Map<string, Exposure>;

/** Adds an exposure, unless it is of a segment, or an equal one is there. */
function expose(exposures: Exposures, added: Exposure): void {
  const { gate, gateValue, ruleID } = added;
  const key = `${gate}\n${gateValue}\n${ruleID}`;
  if (!gate.startsWith('segment:') && !exposures.has(key)) exposures.set(key, added);
}

/** Adds what asking a gate exposes: first what the gate itself asked, then the gate. */
function exposeGate(exposures: Exposures, { spec, passes, ruleID, ...gate }: Evaluation): void {
  for (const exposure of gate.exposures) expose(exposures, exposure);
  expose(exposures, { gate: spec.name, gateValue: passes ? 'true' : 'false', ruleID });
}

/** What was met on the way through the rules of a spec, so far. */
interface Way {
  readonly exposures: Exposures;
  readonly steps: Step[];
  missingUnit: string | undefined;
}

const newWay = (): Way => ({ exposures: new Map(), steps: [], missingUnit: undefined });

/** What an answer says of the way to it. */
function reached({ exposures: met, missingUnit, steps }: Way) {
  const exposures = [...met.values()];
  return { exposures, undelegated: exposures, delegate: undefined, missingUnit, steps };
}

/** The answer where no rule decides. */
const fallback = (spec: Spec, ruleID: string, way: Way): Evaluation => ({
  spec,
  rule: undefined,
  ruleID,
  passes: false,
  value: spec.defaultValue,
  ...reached(way),
});

/** The answer of the rule whose conditions held. */
const decided = (spec: Spec, rule: Rule, { passes }: Draw, way: Way): Evaluation => ({
  spec,
  rule,
  ruleID: rule.id,
  passes,
  value: passes ? rule.returnValue : spec.defaultValue,
  ...reached(way),
});

/** The answer of the experiment that a layer hands its user on to. */
function delegated(spec: Spec, delegate: Evaluation, way: Way): Evaluation {
  const { exposures: undelegated, missingUnit, steps } = reached(way);
  for (const exposure of delegate.exposures) expose(way.exposures, exposure);
  return {
    ...delegate,
    spec,
    delegate,
    exposures: [...way.exposures.values()],
    undelegated,
    missingUnit: missingUnit ?? delegate.missingUnit,
    steps,
  };
}

/**
 * Judges the conditions of a rule: all of them even after one failed, because the gates that they ask are reported as
 * exposed. The rule decides where all hold.
 */
function judgeAll(context: Context, rule: Rule, way: Way): Judgement[] {
  const judgements: Judgement[] = [];
  for (const condition of rule.conditions) {
    const judgement = judge(context, condition);
    if (judgement.gate) exposeGate(way.exposures, judgement.gate);
    // The bucket of a variant is the last condition of its rule: where one before it failed, nothing depends on it.
    const isIdle = isBucket(condition) && judgements.some(({ holds }) => !holds);
    if (!isIdle) way.missingUnit ??= judgement.missingUnit;
    judgements.push(judgement);
  }
  return judgements;
}

/** Goes through the rules to the first whose conditions all hold. */
function walk(context: Context, spec: Spec): Evaluation {
  const way = newWay();
  for (const rule of spec.rules) {
    const judgements = judgeAll(context, rule, way);
    const holds = judgements.every((judgement) => judgement.holds);
    const experiment = rule.configDelegate && context.project.configs.get(rule.configDelegate);
    const drawn = holds && !experiment ? draw(context, spec, rule) : undefined;
    way.missingUnit ??= drawn?.missingUnit;
    if (context.isTraced) way.steps.push({ rule, judgements, draw: drawn });
    if (holds && experiment) return delegated(spec, evaluate(context, experiment), way);
    if (drawn) return decided(spec, rule, drawn, way);
  }
  return fallback(spec, 'default', way);
}

/**
 * What a user gets of a spec: of the first rule whose conditions all hold. A unit that is missing is hashed as "",
 * as SDKs do; `missingUnit` tells callers that would rather refuse.
 */
export function evaluate(context: Context, spec: Spec): Evaluation {
  const known = context.evaluations.get(spec);
  if (known) return known;
  const evaluation = spec.enabled ? walk(context, spec) : fallback(spec, 'disabled', newWay());
  context.evaluations.set(spec, evaluation);
  return evaluation;
}

/** The group or variant that a user was put into, by chance or by an override. */
export const groupName = ({ rule }: Evaluation): string | null => rule?.groupName ?? null;

/** The parameters that the deciding experiment itself sets. */
export const explicitParameters = ({ spec, delegate }: Evaluation): readonly string[] | undefined =>
  (delegate?.spec ?? spec).explicitParameters;
