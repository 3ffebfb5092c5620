import type { Evaluation, Judgement, Step } from './context.ts';
import { groupName } from './evaluate.ts';
import { jsonOf } from './readings.ts';
import type { Condition, EntityName, Values } from './spec.ts';

/** A condition that was looked at, and the value that it saw. */
interface ConditionTrace extends Pick<Condition, 'type' | 'operator' | 'field' | 'targetValue'> {
  readonly idType: string;
  /** Of `user_bucket` the bucket of 1,000; of a gate whether it passes; null for what is missing; see `shown`. */
  readonly seen: unknown;
  readonly holds: boolean;
  /** Why the gate passes that it asked, or not. */
  readonly gate?: Trace;
}

interface RuleTrace {
  readonly id: string;
  /** That of its group, where it puts units into one. */
  readonly name: string;
  readonly conditions: readonly ConditionTrace[];
  /** Whether all conditions held, so that the rule decided. */
  readonly holds: boolean;
  readonly passPercentage: number;
  /** The bucket of 10,000 that the percentage was compared with; absent where nothing was drawn. */
  readonly bucket?: number;
  /** Absent where the rule did not decide by itself. */
  readonly passes?: boolean;
}

/** Why a user gets what it gets. */
export interface Trace {
  readonly name: string;
  readonly entity: EntityName;
  readonly version: number;
  readonly enabled: boolean;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly value: boolean | Values;
  readonly groupName: string | null;
  /** The type of unit that was missing, and hashed as "". */
  readonly missingUnit?: string;
  /** The rules up to the one that decided; none where the same gate stands further up with them. */
  readonly rules: readonly RuleTrace[];
  /** The experiment that a layer handed the user on to. */
  readonly delegate?: Trace;
}

/** What was traced already: gates that many ask would make a trace grow without end. */
type Traced = Set<Evaluation>;

/** Characters of a value that a trace shows: of a long one they would stand there for each condition that looked at it. */
const mostShown = 1000;

/** A value as a trace shows it: of a long one the beginning, as a text. */
function shown(seen: unknown): unknown {
  const text = typeof seen === 'object' && seen !== null ? jsonOf(seen) : seen;
  const isLong = typeof text === 'string' && text.length > mostShown;
  return isLong ? `${text.slice(0, mostShown).toWellFormed()}…` : (seen ?? null);
}

function conditionTrace(
  { condition, seen, holds, gate }: Judgement,
  traced: Traced,
): ConditionTrace {
  const { type, operator, field, targetValue, idType } = condition;
  return {
    type,
    operator,
    field,
    targetValue,
    idType,
    seen: shown(seen),
    holds,
    ...(gate && { gate: traceOf(gate, traced) }),
  };
}

function ruleTrace({ rule, judgements, draw }: Step, traced: Traced): RuleTrace {
  const { id, name, passPercentage } = rule;
  return {
    id,
    name: rule.groupName ?? name,
    conditions: judgements.map((judgement) => conditionTrace(judgement, traced)),
    holds: judgements.every(({ holds }) => holds),
    passPercentage,
    ...(draw?.bucket !== undefined && { bucket: draw.bucket }),
    ...(draw && { passes: draw.passes }),
  };
}

/**
 * Why a user gets what it gets: each rule that was looked at, with the value that each condition saw, the buckets that
 * were drawn, and the gates that were asked, likewise.
 * @param evaluation from a context that is traced
 */
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
