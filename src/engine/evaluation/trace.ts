import type { ConditionResult, Evaluation, TraceStep } from './context.ts';
import { groupName } from './evaluate.ts';
import { jsonOf } from './readings.ts';
import type { EntityName, ParameterValues, SpecCondition } from './spec.ts';

interface ConditionTrace
  extends Pick<SpecCondition, 'type' | 'operator' | 'field' | 'targetValue'> {
  readonly idType: string;
  /** The compared value: a bucket of 1,000, or whether a gate passes; null if missing. Shortened. */
  readonly seen: unknown;
  readonly holds: boolean;
  readonly gate?: Trace;
}

interface RuleTrace {
  readonly id: string;
  readonly name: string;
  readonly conditions: readonly ConditionTrace[];
  readonly holds: boolean;
  readonly passPercentage: number;
  /** The bucket of 10,000 that the pass percentage is compared with; undefined if none was needed. */
  readonly bucket?: number;
  /** Undefined if the rule did not decide, or delegated to an experiment. */
  readonly passes?: boolean;
}

export interface Trace {
  readonly name: string;
  readonly entity: EntityName;
  readonly version: number;
  readonly enabled: boolean;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly value: boolean | ParameterValues;
  readonly groupName: string | null;
  readonly missingUnit?: string;
  /** The rules up to the deciding one; empty if the trace already contains this evaluation. */
  readonly rules: readonly RuleTrace[];
  readonly delegate?: Trace;
}

/** Evaluations already in the trace. Without it, a gate used many times would make the trace grow exponentially. */
type Traced = Set<Evaluation>;

/** Characters of a value. A long value would be repeated for each condition that reads it. */
const maxValueCharacters = 1000;

function shortenedValue(seen: unknown): unknown {
  const text = typeof seen === 'object' && seen !== null ? jsonOf(seen) : seen;
  const isLong = typeof text === 'string' && text.length > maxValueCharacters;
  return isLong ? `${text.slice(0, maxValueCharacters).toWellFormed()}…` : (seen ?? null);
}

function conditionTrace(
  { condition, seen, holds, gate }: ConditionResult,
  traced: Traced,
): ConditionTrace {
  const { type, operator, field, targetValue, idType } = condition;
  return {
    type,
    operator,
    field,
    targetValue,
    idType,
    seen: shortenedValue(seen),
    holds,
    ...(gate && { gate: traceOf(gate, traced) }),
  };
}

function ruleTrace({ rule, results, draw }: TraceStep, traced: Traced): RuleTrace {
  const { id, name, passPercentage } = rule;
  return {
    id,
    name: rule.groupName ?? name,
    conditions: results.map((result) => conditionTrace(result, traced)),
    holds: results.every(({ holds }) => holds),
    passPercentage,
    ...(draw?.bucket !== undefined && { bucket: draw.bucket }),
    ...(draw && { passes: draw.passes }),
  };
}

/** Returns the rules of a traced evaluation up to the deciding one, with compared values, buckets and other gates. */
export function traceOf(evaluation: Evaluation, traced: Traced = new Set()): Trace {
  const { spec, ruleID, passes, value, missingUnit, steps, delegate } = evaluation;
  const isFirst = !traced.has(evaluation);
  traced.add(evaluation);
  return {
    name: spec.name,
    entity: spec.entity,
    version: spec.version,
    enabled: spec.enabled,
    ruleID,
    passes,
    value: spec.type === 'feature_gate' ? passes : value,
    groupName: groupName(evaluation),
    ...(missingUnit !== undefined && { missingUnit }),
    rules: isFirst ? steps.map((step) => ruleTrace(step, traced)) : [],
    ...(delegate && { delegate: traceOf(delegate, traced) }),
  };
}
