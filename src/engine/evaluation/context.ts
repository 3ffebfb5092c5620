import { PatternBudget } from './pattern_budget.ts';
import type { ParameterValues, Project, Spec, SpecCondition, SpecRule } from './spec.ts';
import type { EvaluatedUser } from './user.ts';

export interface EvaluatedExposure {
  readonly gate: string;
  readonly gateValue: 'true' | 'false';
  readonly ruleID: string;
}

export interface ConditionResult {
  readonly condition: SpecCondition;
  readonly seen: unknown;
  readonly holds: boolean;
  readonly gate?: Evaluation | undefined;
  readonly missingUnit?: string | undefined;
}

export interface Draw {
  readonly passes: boolean;
  /** Undefined at 0% and 100%, which need no bucket; otherwise 0 to 9,999. */
  readonly bucket?: number;
  readonly missingUnit?: string | undefined;
}

export interface TraceStep {
  readonly rule: SpecRule;
  readonly results: readonly ConditionResult[];
  readonly draw: Draw | undefined;
}

export interface Evaluation {
  readonly spec: Spec;
  /** The deciding rule; undefined if the spec is disabled, or no rule matched. */
  readonly rule: SpecRule | undefined;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly value: boolean | ParameterValues;
  /** The evaluated gates without segments, each once. */
  readonly exposures: readonly EvaluatedExposure[];
  /** The exposures before a layer delegated to an experiment. */
  readonly undelegated: readonly EvaluatedExposure[];
  readonly delegate: Evaluation | undefined;
  readonly missingUnit: string | undefined;
  readonly steps: readonly TraceStep[];
}

export interface UsedEvaluation {
  readonly evaluation: Evaluation;
  /** The parameters that are used; all if undefined. */
  readonly parameters?: readonly string[] | undefined;
}

export interface EvaluationContext {
  readonly project: Project;
  readonly user: EvaluatedUser;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly isTraced: boolean;
  /** Caches evaluations: many gates depend on the same ones. */
  readonly evaluations: Map<Spec, Evaluation>;
  /** Caches buckets by the hashed text: the groups of an experiment use the same bucket. Created by the first. */
  draws: Map<string, number> | undefined;
  readonly patterns: PatternBudget;
}

export const contextOf = (
  project: Project,
  user: EvaluatedUser,
  now: number,
  isTraced = false,
): EvaluationContext => ({
  project,
  user,
  now,
  isTraced,
  evaluations: new Map(),
  draws: undefined,
  patterns: new PatternBudget(),
});
