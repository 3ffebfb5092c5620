import { Problem } from '../../problem.ts';
import { misfitOf } from '../../shared/json_schema/schema.ts';
import { type Rule, withRuleIDs } from '../../shared/rules.ts';
import { sha256 } from '../../shared/sha256.ts';
import type { Entity } from '../../store/core/entity.ts';
import type { Kind } from '../../store/core/kind.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { update } from '../../store/entities/entities.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { gates } from '../gates/table.ts';
import type { Phase } from '../release_pipelines/schema.ts';
import type { Trigger } from './schema.ts';
import { withValues } from './values.ts';

/** What a trigger can release: an entity whose rules follow the phases. */
export interface Released extends Entity {
  rules: Rule[];
  status: string;
  releasePipelineID: string | null;
}

/** One kind of what can be released. */
export interface Target {
  /** The property of a trigger that names it. */
  property: 'gateID' | 'dynamicConfigID';
  kind: Kind<Released>;
}

/** What can be released; one more kind is one more line. */
const targets: Target[] = [
  { property: 'gateID', kind: gates },
  { property: 'dynamicConfigID', kind: dynamicConfigs },
];

/** The one thing that a trigger, or the body that starts it, names to be released. */
export function targetOf(named: { [P in Target['property']]?: string | null | undefined }) {
  const [only] = targets.flatMap((target) => {
    const id = named[target.property];
    return id ? [{ target, id }] : [];
  });
  if (!only) throw Problem.property('gateID', 'or dynamicConfigID is required');
  return only;
}

/** The schema that the values of the rules of a config satisfy; a gate has none. */
const schemaOf = (entity: Released): string | undefined =>
  'schema' in entity ? String(entity.schema) : undefined;

/** Finds the first of some rules with a value that does not satisfy a schema, by its name, and says how. */
function misfitIn(schema: string | undefined) {
  const misfit = schema === undefined ? () => undefined : misfitOf(schema);
  return (rules: Phase['rules']) => {
    const [first] = rules.flatMap(({ name, returnValue, variants = [] }) => {
      const values = [returnValue, ...variants.map((variant) => variant.returnValue)];
      const [found] = values.flatMap((value) => (value && misfit(value)) ?? []);
      return found ? [{ rule: name, message: `does not satisfy the schema: ${found}` }] : [];
    });
    return first;
  };
}

/** 400 where what is to be released cannot have the rules of some phases. */
export function requireFit(entity: Released, phases: Phase[]): void {
  const misfit = misfitIn(schemaOf(entity));
  const errors = phases.flatMap(({ name, rules }) => {
    const found = misfit(rules);
    const errorMessage = `names a pipeline whose rule ${found?.rule} in phase ${name} ${found?.message}`;
    return found ? [{ property: 'releasePipelineID', errorMessage }] : [];
  });
  if (errors.length > 0) throw Problem.invalid(errors);
}

/**
 * Gives the rules of a phase their ids. One that a phase leaves out is the same when a later one has it again, be it from
 * before the release or brought by it, so that nobody is drawn anew; and a rule in force keeps its id, whatever it was
 * called before.
 */
function withIDs(rules: Phase['rules'], { id, configSnapshot }: Trigger, inForce: Rule[]): Rule[] {
  const names = new Set(rules.map(({ name }) => name));
  const kept = inForce.filter(({ name }) => names.has(name));
  const brought = rules.map((rule): Rule => {
    const own = sha256(JSON.stringify([id, rule.name])).slice(0, 32);
    return { ...rule, id: own, baseID: own };
  });
  const taken = new Set(kept.map((rule) => rule.id));
  const others = [...brought, ...configSnapshot].filter((rule) => !taken.has(rule.id));
  return withRuleIDs(rules, [...others, ...kept]);
}

/** The rules in force: those of a phase, or those before the release just as they were; 409 where they do not fit. */
function rulesOf(entity: Released, trigger: Trigger): Rule[] {
  const { phases, appliedPhaseID, configSnapshot } = trigger;
  const schema = schemaOf(entity);
  const phase = phases.find(({ id }) => id === appliedPhaseID);
  const own =
    phase && schema !== undefined ? withValues(phase.rules, configSnapshot) : phase?.rules;
  const found = misfitIn(schema)(own ?? configSnapshot);
  if (found) {
    const what = phase
      ? `The phase ${phase.name} cannot begin`
      : 'The rules before the release cannot be put back until the schema is changed';
    const message = `${what}: the value of the rule ${found.rule} ${found.message}.`;
    throw new Problem('transition', message);
  }
  return own ? withIDs(own, trigger, entity.rules) : configSnapshot;
}

/** Stages the rules that a trigger puts in force, and the pipeline they come from, or those from before the release. */
export async function putInForce(tx: Transaction, trigger: Trigger): Promise<void> {
  const { target, id } = targetOf(trigger);
  const before = await tx.find(target.kind, id);
  if (!before) return;
  const rules = rulesOf(before, trigger);
  const { appliedPhaseID, earlierPipelineID } = trigger;
  const releasePipelineID = appliedPhaseID === null ? earlierPipelineID : trigger.releasePipelineID;
  await update(tx, target.kind, before, { ...before, rules, releasePipelineID }, 'release');
}
