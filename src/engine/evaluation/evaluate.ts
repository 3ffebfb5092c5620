import { hashedUnit, holdsFor, valueSeen } from './conditions.ts';
import type {
  ConditionResult,
  Draw,
  EvaluatedExposure,
  Evaluation,
  EvaluationContext,
  TraceStep,
} from './context.ts';
import { bucketOf } from './hash.ts';
import { isMissing } from './readings.ts';
import type { Spec, SpecCondition, SpecRule } from './spec.ts';
import { unitOf } from './user.ts';

/** Pass percentages have steps of 0.01%. */
const assignmentParts = 10_000;

const isGate = ({ type }: SpecCondition) => type === 'pass_gate' || type === 'fail_gate';

const isBucket = ({ type }: SpecCondition) => type === 'user_bucket';

const missingOf = (context: EvaluationContext, idType: string): string | undefined =>
  isMissing(unitOf(context.user, idType)) ? idType : undefined;

/** A compiled project contains every gate its conditions use; otherwise the gate does not pass. */
function evaluateGateCondition(
  context: EvaluationContext,
  condition: SpecCondition,
): ConditionResult {
  const spec = context.project.gates.get(String(condition.targetValue));
  const gate = spec && evaluate(context, spec);
  const passes = gate?.passes === true;
  const holds = passes === (condition.type === 'pass_gate');
  return { condition, seen: passes, holds, gate, missingUnit: gate?.missingUnit };
}

function evaluateCondition(context: EvaluationContext, condition: SpecCondition): ConditionResult {
  if (isGate(condition)) return evaluateGateCondition(context, condition);
  const seen = valueSeen(context, condition);
  const holds = holdsFor(context, condition, seen);
  const missingUnit = isBucket(condition) ? missingOf(context, condition.idType) : undefined;
  return { condition, seen, holds, missingUnit };
}

/** Returns the first matching rule that has only bucket conditions; undefined if there is none. */
export const ruleOfBucket = (
  context: EvaluationContext,
  rules: readonly SpecRule[],
): SpecRule | undefined =>
  rules.find(
    ({ conditions }) =>
      conditions.length > 0 &&
      conditions.every(
        (condition) => isBucket(condition) && evaluateCondition(context, condition).holds,
      ),
  );

/** Compares doubles without rounding: 0.07 * 100 is slightly more than 7, so bucket 7 passes in every SDK. */
export function draw(
  context: EvaluationContext,
  spec: Spec,
  { passPercentage, salt, idType }: SpecRule,
): Draw {
  if (passPercentage === 0 || passPercentage === 100) return { passes: passPercentage === 100 };
  const unit = unitOf(context.user, idType);
  const bucket = bucketOf(`${spec.salt}.${salt}.${hashedUnit(unit)}`, assignmentParts);
  const missingUnit = isMissing(unit) ? idType : undefined;
  return { passes: bucket < passPercentage * 100, bucket, missingUnit };
}

/** Most evaluations evaluate no gates and are not traced, so lists are created when needed. */
interface EvaluationProgress {
  exposures: Map<string, EvaluatedExposure> | undefined;
  steps: TraceStep[] | undefined;
  missingUnit: string | undefined;
}

const newProgress = (): EvaluationProgress => ({
  exposures: undefined,
  steps: undefined,
  missingUnit: undefined,
});

function addExposure(progress: EvaluationProgress, added: EvaluatedExposure): void {
  const { gate, gateValue, ruleID } = added;
  if (gate.startsWith('segment:')) return;
  progress.exposures ??= new Map();
  const key = `${gate}\n${gateValue}\n${ruleID}`;
  if (!progress.exposures.has(key)) progress.exposures.set(key, added);
}

function addGateExposures(
  progress: EvaluationProgress,
  { spec, passes, ruleID, ...gate }: Evaluation,
): void {
  for (const exposure of gate.exposures) addExposure(progress, exposure);
  addExposure(progress, { gate: spec.name, gateValue: passes ? 'true' : 'false', ruleID });
}

const nothing: readonly never[] = [];

const exposuresIn = ({ exposures }: EvaluationProgress): readonly EvaluatedExposure[] =>
  exposures ? [...exposures.values()] : nothing;

function evaluationBy(
  spec: Spec,
  rule: SpecRule | undefined,
  ruleID: string,
  passes: boolean,
  progress: EvaluationProgress,
): Evaluation {
  const exposures = exposuresIn(progress);
  return {
    spec,
    rule,
    ruleID,
    passes,
    value: rule && passes ? rule.returnValue : spec.defaultValue,
    exposures,
    undelegated: exposures,
    delegate: undefined,
    missingUnit: progress.missingUnit,
    steps: progress.steps ?? nothing,
  };
}

function delegatedEvaluation(
  spec: Spec,
  delegate: Evaluation,
  progress: EvaluationProgress,
): Evaluation {
  const undelegated = exposuresIn(progress);
  for (const exposure of delegate.exposures) addExposure(progress, exposure);
  return {
    ...delegate,
    spec,
    delegate,
    exposures: exposuresIn(progress),
    undelegated,
    missingUnit: progress.missingUnit ?? delegate.missingUnit,
    steps: progress.steps ?? nothing,
  };
}

/** All conditions are evaluated even after one fails: SDKs report every evaluated gate as an exposure. */
function holdsRule(
  context: EvaluationContext,
  rule: SpecRule,
  progress: EvaluationProgress,
  results: ConditionResult[] | undefined,
): boolean {
  let holds = true;
  for (const condition of rule.conditions) {
    const result = evaluateCondition(context, condition);
    if (result.gate) addGateExposures(progress, result.gate);
    // After a failed condition, the bucket of a variant, the last condition, does not matter.
    if (holds || !isBucket(condition)) progress.missingUnit ??= result.missingUnit;
    holds &&= result.holds;
    results?.push(result);
  }
  return holds;
}

function evaluateRules(context: EvaluationContext, spec: Spec): Evaluation {
  const progress = newProgress();
  for (const rule of spec.rules) {
    const results: ConditionResult[] | undefined = context.isTraced ? [] : undefined;
    const holds = holdsRule(context, rule, progress, results);
    const experiment = rule.configDelegate && context.project.configs.get(rule.configDelegate);
    const drawn = holds && !experiment ? draw(context, spec, rule) : undefined;
    progress.missingUnit ??= drawn?.missingUnit;
    if (results) {
      progress.steps ??= [];
      progress.steps.push({ rule, results, draw: drawn });
    }
    if (holds && experiment)
      return delegatedEvaluation(spec, evaluate(context, experiment), progress);
    if (drawn) return evaluationBy(spec, rule, rule.id, drawn.passes, progress);
  }
  return evaluationBy(spec, undefined, 'default', false, progress);
}

/** Evaluates a spec. A missing unit is hashed as "", like in SDKs; `missingUnit` lets callers reject it. */
export function evaluate(context: EvaluationContext, spec: Spec): Evaluation {
  const cached = context.evaluations.get(spec);
  if (cached) return cached;
  const evaluation = spec.enabled
    ? evaluateRules(context, spec)
    : evaluationBy(spec, undefined, 'disabled', false, newProgress());
  context.evaluations.set(spec, evaluation);
  return evaluation;
}

/** Returns the group or variant of a user, assigned by bucket or by override. */
export const groupName = ({ rule }: Evaluation): string | null => rule?.groupName ?? null;

/** Returns the parameters that the deciding experiment sets itself. */
export const explicitParameters = ({ spec, delegate }: Evaluation): readonly string[] | undefined =>
  (delegate?.spec ?? spec).explicitParameters;
