import { PatternBudget } from './pattern_budget.ts';
import type { Condition, Project, Rule, Spec, Values } from './spec.ts';
import type { User } from './user.ts';

/** A gate that was asked on the way to an answer, and what it said. */
export interface Exposure {
  readonly gate: string;
  readonly gateValue: 'true' | 'false';
  readonly ruleID: string;
}

/** What became of a condition for a user. */
export interface Judgement {
  readonly condition: Condition;
  /** The value that the condition looked at. */
  readonly seen: unknown;
  readonly holds: boolean;
  /** The gate that it asked. */
  readonly gate?: Evaluation | undefined;
  /** The type of unit whose id was missing where it was needed for a draw. */
  readonly missingUnit?: string | undefined;
}

/** The draw that a rule with a pass percentage makes, once its conditions hold. */
export interface Draw {
  readonly passes: boolean;
  /** Of 10,000; absent where the percentage is 0 or 100, so that nothing was drawn. */
  readonly bucket?: number;
  readonly missingUnit?: string | undefined;
}

/** A rule that was looked at. */
export interface Step {
  readonly rule: Rule;
  readonly judgements: readonly Judgement[];
  readonly draw: Draw | undefined;
}

/** What a user gets of a spec, and why. */
export interface Evaluation {
  /** The spec that was asked. */
  readonly spec: Spec;
  /** The rule that decided; none where the spec is disabled, or no rule's conditions held. */
  readonly rule: Rule | undefined;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly value: boolean | Values;
  /** Of the gates that were asked, segments apart, each once. */
  readonly exposures: readonly Exposure[];
  /** Of those, the ones that were asked before a layer handed the user on. */
  readonly undelegated: readonly Exposure[];
  /** Of the experiment that a layer handed the user on to. */
  readonly delegate: Evaluation | undefined;
  /** The type of the first unit whose id was missing where it was needed for a draw. */
  readonly missingUnit: string | undefined;
  /** The rules that were looked at, where the context is traced. */
  readonly steps: readonly Step[];
}

/** What was evaluated for a flag. */
export interface Asked {
  readonly evaluation: Evaluation;
  /** The parameters that are taken of it; all where none are said. */
  readonly parameters?: readonly string[] | undefined;
}

/** One user, at one time, in one project. */
export interface Context {
  readonly project: Project;
  readonly user: User;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether evaluations keep their steps. */
  readonly isTraced: boolean;
  /** What was evaluated already: many gates ask the same ones. */
  readonly evaluations: Map<Spec, Evaluation>;
  /** What was drawn already, by the text that was hashed: the groups of an experiment share a draw. */
  readonly draws: Map<string, number>;
  /** What is left of the work that all patterns may take. */
  readonly patterns: PatternBudget;
}

/** What is evaluated for one request. `now` is in epoch milliseconds. */
export const contextOf = (
  project: Project,
  user: User,
  now: number,
  isTraced = false,
): Context => ({
  project,
  user,
  now,
  isTraced,
  evaluations: new Map(),
  draws: new Map(),
  patterns: new PatternBudget(),
});
