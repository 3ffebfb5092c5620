import { Problem } from '../../base/problem.ts';
import { sha256Hex } from '../../base/sha256.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { HookedKind } from '../../platform/store/core/hooks.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { updateEntity } from '../../platform/store/entities/entities.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { gates } from '../gates/table.ts';
import { misfitOf } from '../json_schema/schema.ts';
import type { ReleasePhase } from '../pipelines/schema.ts';
import { type Rule, withRuleIDs } from '../rules/rules.ts';
import type { Trigger } from './schema.ts';
import { withOwnValues } from './values.ts';

export interface Released extends Entity {
  rules: Rule[];
  status: string;
  releasePipelineID: string | null;
}

export interface ReleaseTarget {
  property: 'gateID' | 'dynamicConfigID';
  kind: HookedKind<Released>;
}

const targets: ReleaseTarget[] = [
  { property: 'gateID', kind: gates },
  { property: 'dynamicConfigID', kind: dynamicConfigs },
];

/** Returns the released entity of a release, or of the body that starts it. */
export function targetOf(named: { [P in ReleaseTarget['property']]?: string | null | undefined }) {
  const [only] = targets.flatMap((target) => {
    const id = named[target.property];
    return id ? [{ target, id }] : [];
  });
  if (!only) throw Problem.property('gateID', 'is required, unless dynamicConfigID is given');
  return only;
}

const schemaOf = (entity: Released): string | undefined =>
  'schema' in entity ? String(entity.schema) : undefined;

function misfitIn(schema: string | undefined) {
  const misfit = schema === undefined ? () => undefined : misfitOf(schema);
  return (rules: ReleasePhase['rules']) => {
    const [first] = rules.flatMap(({ name, returnValue, variants = [] }) => {
      const values = [returnValue, ...variants.map((variant) => variant.returnValue)];
      const [found] = values.flatMap((value) => (value && misfit(value)) ?? []);
      return found ? [{ rule: name, message: `does not satisfy the schema: ${found}` }] : [];
    });
    return first;
  };
}

/** Throws Problem 400 if rules of the phases do not satisfy the entity's schema. */
export function requireFittingRules(entity: Released, phases: ReleasePhase[]): void {
  const misfit = misfitIn(schemaOf(entity));
  const errors = phases.flatMap(({ name, rules }) => {
    const found = misfit(rules);
    const errorMessage = `refers to a pipeline whose rule ${found?.rule} in phase ${name} ${found?.message}`;
    return found ? [{ property: 'releasePipelineID', errorMessage }] : [];
  });
  if (errors.length > 0) throw Problem.invalid(errors);
}

/** A rule keeps its ID even if a phase in between leaves it out, so that no unit changes its bucket. */
function withTriggerRuleIDs(
  rules: ReleasePhase['rules'],
  { id, configSnapshot }: Trigger,
  activeRules: Rule[],
): Rule[] {
  const names = new Set(rules.map(({ name }) => name));
  const kept = activeRules.filter(({ name }) => names.has(name));
  const phaseRules = rules.map((rule): Rule => {
    const own = sha256Hex(JSON.stringify([id, rule.name])).slice(0, 32);
    return { ...rule, id: own, baseID: own };
  });
  const taken = new Set(kept.map((rule) => rule.id));
  const others = [...phaseRules, ...configSnapshot].filter((rule) => !taken.has(rule.id));
  return withRuleIDs(rules, [...others, ...kept]);
}

/** Returns the rules of a phase or before the release. @throws Problem 409 if they do not satisfy the schema */
function triggerRules(entity: Released, trigger: Trigger): Rule[] {
  const { phases, appliedPhaseID, configSnapshot } = trigger;
  const schema = schemaOf(entity);
  const phase = phases.find(({ id }) => id === appliedPhaseID);
  const own =
    phase && schema !== undefined ? withOwnValues(phase.rules, configSnapshot) : phase?.rules;
  const found = misfitIn(schema)(own ?? configSnapshot);
  if (found) {
    const what = phase
      ? `The phase ${phase.name} cannot begin`
      : 'The rules before the release cannot be restored until the schema is changed';
    const message = `${what}: the value of the rule ${found.rule} ${found.message}.`;
    throw new Problem('transition', message);
  }
  return own ? withTriggerRuleIDs(own, trigger, entity.rules) : configSnapshot;
}

/** Stages the rules and the pipeline of the applied phase, or those from before the release. */
export async function applyRules(tx: Transaction, trigger: Trigger): Promise<void> {
  const { target, id } = targetOf(trigger);
  const before = await tx.find(target.kind, id);
  if (!before) return;
  const rules = triggerRules(before, trigger);
  const { appliedPhaseID, earlierPipelineID } = trigger;
  const releasePipelineID = appliedPhaseID === null ? earlierPipelineID : trigger.releasePipelineID;
  await updateEntity(tx, target.kind, before, { ...before, rules, releasePipelineID }, 'release');
}
