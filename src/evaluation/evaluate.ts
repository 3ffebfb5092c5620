import { hashedUnit, holdsFor, valueSeen } from './conditions.ts';
import type { ConditionResult, Context, Draw, Evaluation, Exposure, Step } from './context.ts';
import { bucketOf } from './hash.ts';
import { isMissing } from './readings.ts';
import type { Condition, Rule, Spec } from './spec.ts';
import { unitOf } from './user.ts';

/** Pass percentages have steps of 0.01%. */
const drawCount = 10_000;

const isGate = ({ type }: Condition) => type === 'pass_gate' || type === 'fail_gate';

const isBucket = ({ type }: Condition) => type === 'user_bucket';

const missingOf = (context: Context, idType: string): string | undefined =>
  isMissing(unitOf(context.user, idType)) ? idType : undefined;

/** A compiled project contains every gate its conditions use; otherwise the gate does not pass. */
function evaluateGateCondition(context: Context, condition: Condition): ConditionResult {
  const spec = context.project.gates.get(String(condition.targetValue));
  const gate = spec && evaluate(context, spec);
  const passes = gate?.passes === true;
  const holds = passes === (condition.type === 'pass_gate');
  return { condition, seen: passes, holds, gate, missingUnit: gate?.missingUnit };
}

function evaluateCondition(context: Context, condition: Condition): ConditionResult {
  if (isGate(condition)) return evaluateGateCondition(context, condition);
  const seen = valueSeen(context, condition);
  const holds = holdsFor(context, condition, seen);
  const missingUnit = isBucket(condition) ? missingOf(context, condition.idType) : undefined;
  return { condition, seen, holds, missingUnit };
}

/** Returns the first matching rule that has only bucket conditions; undefined if there is none. */
export const ruleOfBucket = (context: Context, rules: readonly Rule[]): Rule | undefined =>
  rules.find(
    ({ conditions }) =>
      conditions.length > 0 &&
      conditions.every(
        (condition) => isBucket(condition) && evaluateCondition(context, condition).holds,
      ),
  );

/** Compares doubles without rounding: 0.07 * 100 is slightly more than 7, so bucket 7 passes in every SDK. */
export function draw(context: Context, spec: Spec, { passPercentage, salt, idType }: Rule): Draw {
  if (passPercentage === 0 || passPercentage === 100) return { passes: passPercentage === 100 };
  const unit = hashedUnit(unitOf(context.user, idType));
  const bucket = bucketOf(`${spec.salt}.${salt}.${unit}`, drawCount);
  const missingUnit = missingOf(context, idType);
  return { passes: bucket < passPercentage * 100, bucket, missingUnit };
}

type Exposures = Map<string, Exposure>;

/** Skips segments and duplicates. */
function addExposure(exposures: Exposures, added: Exposure): void {
  const { gate, gateValue, ruleID } = added;
  const key = `${gate}\n${gateValue}\n${ruleID}`;
  if (!gate.startsWith('segment:') && !exposures.has(key)) exposures.set(key, added);
}

/** Adds the exposures of the gate's own conditions, then the gate. */
function addGateExposures(
  exposures: Exposures,
  { spec, passes, ruleID, ...gate }: Evaluation,
): void {
  for (const exposure of gate.exposures) addExposure(exposures, exposure);
  addExposure(exposures, { gate: spec.name, gateValue: passes ? 'true' : 'false', ruleID });
}

interface Progress {
  readonly exposures: Exposures;
  readonly steps: Step[];
  missingUnit: string | undefined;
}

const newProgress = (): Progress => ({ exposures: new Map(), steps: [], missingUnit: undefined });

function progressFields({ exposures: exposed, missingUnit, steps }: Progress) {
  const exposures = [...exposed.values()];
  return { exposures, undelegated: exposures, delegate: undefined, missingUnit, steps };
}

const defaultEvaluation = (spec: Spec, ruleID: string, progress: Progress): Evaluation => ({
  spec,
  rule: undefined,
  ruleID,
  passes: false,
  value: spec.defaultValue,
  ...progressFields(progress),
});

const ruleEvaluation = (
  spec: Spec,
  rule: Rule,
  { passes }: Draw,
  progress: Progress,
): Evaluation => ({
  spec,
  rule,
  ruleID: rule.id,
  passes,
  value: passes ? rule.returnValue : spec.defaultValue,
  ...progressFields(progress),
});

function delegatedEvaluation(spec: Spec, delegate: Evaluation, progress: Progress): Evaluation {
  const { exposures: undelegated, missingUnit, steps } = progressFields(progress);
  for (const exposure of delegate.exposures) addExposure(progress.exposures, exposure);
  return {
    ...delegate,
    spec,
    delegate,
    exposures: [...progress.exposures.values()],
    undelegated,
    missingUnit: missingUnit ?? delegate.missingUnit,
    steps,
  };
}

/** Evaluates all conditions even after one fails, because SDKs report every evaluated gate as an exposure. */
function evaluateConditions(context: Context, rule: Rule, progress: Progress): ConditionResult[] {
  const results: ConditionResult[] = [];
  for (const condition of rule.conditions) {
    const result = evaluateCondition(context, condition);
    if (result.gate) addGateExposures(progress.exposures, result.gate);
    // An earlier condition failed, so the bucket of a variant, the last condition, does not matter.
    const isIdle = isBucket(condition) && results.some(({ holds }) => !holds);
    if (!isIdle) progress.missingUnit ??= result.missingUnit;
    results.push(result);
  }
  return results;
}

function evaluateRules(context: Context, spec: Spec): Evaluation {
  const progress = newProgress();
  for (const rule of spec.rules) {
    const results = evaluateConditions(context, rule, progress);
    const holds = results.every((result) => result.holds);
    const experiment = rule.configDelegate && context.project.configs.get(rule.configDelegate);
    const drawn = holds && !experiment ? draw(context, spec, rule) : undefined;
    progress.missingUnit ??= drawn?.missingUnit;
    if (context.isTraced) progress.steps.push({ rule, results, draw: drawn });
    if (holds && experiment)
      return delegatedEvaluation(spec, evaluate(context, experiment), progress);
    if (drawn) return ruleEvaluation(spec, rule, drawn, progress);
  }
  return defaultEvaluation(spec, 'default', progress);
}

/** Evaluates a spec. A missing unit is hashed as "", like in SDKs; `missingUnit` lets callers reject it. */
export function evaluate(context: Context, spec: Spec): Evaluation {
  const cached = context.evaluations.get(spec);
  if (cached) return cached;
  const evaluation = spec.enabled
    ? evaluateRules(context, spec)
    : defaultEvaluation(spec, 'disabled', newProgress());
  context.evaluations.set(spec, evaluation);
  return evaluation;
}

/** Returns the group or variant of a user, assigned by bucket or by override. */
export const groupName = ({ rule }: Evaluation): string | null => rule?.groupName ?? null;

/** Returns the parameters that the deciding experiment sets itself. */
export const explicitParameters = ({ spec, delegate }: Evaluation): readonly string[] | undefined =>
  (delegate?.spec ?? spec).explicitParameters;
