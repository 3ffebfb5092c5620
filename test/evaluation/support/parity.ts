import { isEqual } from '../../../src/base/equal.ts';
import { recordOf } from '../../../src/base/value_types.ts';
import { contextOf } from '../../../src/engine/evaluation/context.ts';
import { evaluate } from '../../../src/engine/evaluation/evaluate.ts';
import { initialize, type NameHash } from '../../../src/engine/evaluation/initialize.ts';
import type { Project } from '../../../src/engine/evaluation/spec.ts';
import { sdkUser } from '../../../src/engine/evaluation/user.ts';
import { randomFrom } from './random.ts';
import { type GeneratedUser, generateUser } from './users.ts';

type Values = Record<string, unknown>;

/** Evaluations of a user by another implementation, of all flags or of one gate. */
interface Asked {
  initialize(hash: NameHash): unknown;
  gate(name: string): { value: boolean; ruleID: string };
}

export interface Oracle {
  of(user: GeneratedUser): Asked;
  shutdown(): Promise<unknown>;
}

export const time = 1_700_000_000_123;

const contextFor = (project: Project, user: GeneratedUser) =>
  contextOf(project, sdkUser(user, user.statsigEnvironment.tier), Date.now());

/** The response of the service, as sent. */
export const answerFor = (
  project: Project,
  user: GeneratedUser,
  hash: NameHash,
  context = contextFor(project, user),
): Values => JSON.parse(JSON.stringify(initialize(context, { hash, time })));

interface Difference {
  name: string;
  user: GeneratedUser;
  ours: unknown;
  theirs: unknown;
}

export interface Comparison {
  users: number;
  cells: number;
  differences: Difference[];
  /** The specs and rules that decided for any user. */
  decided: Set<string>;
}

const lists = ['feature_gates', 'dynamic_configs', 'layer_configs'] as const;

/** The evaluations of a user by both implementations. */
function* cellsFor(project: Project, oracle: Oracle, user: GeneratedUser, { decided }: Comparison) {
  const asked = oracle.of(user);
  const context = contextFor(project, user);
  const ours = answerFor(project, user, 'none', context);
  const theirs = recordOf(asked.initialize('none'));
  for (const list of lists)
    for (const [name, cell] of Object.entries(recordOf(ours[list])))
      yield { name: `${list}: ${name}`, ours: cell, theirs: recordOf(theirs[list])[name] };
  for (const [name, spec] of [...project.gates, ...project.configs])
    decided.add(`${name} ${evaluate(context, spec).ruleID}`);
  for (const [name, spec] of project.gates) {
    if (Object.hasOwn(recordOf(ours.feature_gates), name)) continue;
    const { passes, ruleID } = evaluate(context, spec);
    const { value, ruleID: theirRule } = asked.gate(name);
    yield { name, ours: [passes, ruleID], theirs: [value, theirRule] };
  }
}

/**
 * Compares value, rule, group and exposures of each flag, and value and rule of each gate that is only a dependency.
 * @param tell called after each user
 */
export function compareUsers(
  project: Project,
  oracle: Oracle,
  { users, seed = 1 }: { users: number; seed?: number },
  tell: (comparison: Comparison) => void = () => {},
): Comparison {
  const random = randomFrom(seed);
  const comparison: Comparison = { users: 0, cells: 0, differences: [], decided: new Set() };
  for (; comparison.users < users; comparison.users++) {
    const user = generateUser(random);
    for (const { name, ours, theirs } of cellsFor(project, oracle, user, comparison)) {
      comparison.cells++;
      if (!isEqual(ours, theirs)) comparison.differences.push({ name, user, ours, theirs });
    }
    tell(comparison);
  }
  return comparison;
}
