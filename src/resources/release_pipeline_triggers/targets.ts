import { Problem } from '../../problem.ts';
import { misfitOf } from '../../shared/json_schema/schema.ts';
import { type Rule, withRuleIDs } from '../../shared/rules.ts';
import { sha256 } from '../../shared/sha256.ts';
import type { Entity } from '../../store/columns.ts';
import { update } from '../../store/entities.ts';
import type { Kind, Transaction } from '../../store/terms.ts';
import type { DynamicConfig } from '../dynamic_configs/schema.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { gates } from '../gates/table.ts';
import type { Phase } from '../release_pipelines/schema.ts';
import type { Trigger } from './schema.ts';

/** What a trigger can release: an entity whose rules follow the phases. */
interface Released extends Entity {
  rules: Rule[];
  status: string;
  releasePipelineID: string | null;
}

/** What is released, as a release finds it. */
export interface Found
  extends Pick<Released, 'rules' | 'status' | 'version' | 'releasePipelineID'> {
  /** 400 where it cannot have the rules of these phases. */
  requireFit(phases: Phase[]): void;
}

type Property = 'gateID' | 'dynamicConfigID';

export interface Target {
  /** The property of a trigger that names it. */
  property: Property;
  kind: string;
  find(tx: Transaction, id: string): Promise<Found | undefined>;
  /** Stages the rules that the trigger puts in force, and the pipeline they come from, or those from before the release. */
  put(tx: Transaction, id: string, trigger: Trigger): Promise<void>;
}

/** What the rules of phases are to one kind of thing that is released. */
interface Fitting<E> {
  /** The first way in which rules do not fit, as the name of the rule and a message. */
  misfit(entity: E): (rules: Phase['rules']) => { rule: string; message: string } | undefined;
  /** The rules of a phase, completed from those before the release. */
  completed(rules: Phase['rules'], own: Rule[]): Phase['rules'];
}

const anyRules: Fitting<Entity> = { misfit: () => () => undefined, completed: (rules) => rules };

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
function rulesOf<E extends Released>(
  entity: E,
  trigger: Trigger,
  { misfit, completed }: Fitting<E>,
): Rule[] {
  const { phases, appliedPhaseID, configSnapshot } = trigger;
  const phase = phases.find(({ id }) => id === appliedPhaseID);
  const rules = phase ? completed(phase.rules, configSnapshot) : configSnapshot;
  const found = misfit(entity)(rules);
  if (found) {
    const what = phase
      ? `The phase ${phase.name} cannot begin`
      : 'The rules before the release cannot be put back until the schema is changed';
    const message = `${what}: the value of the rule ${found.rule} ${found.message}.`;
    throw new Problem('transition', message);
  }
  return phase ? withIDs(rules, trigger, entity.rules) : configSnapshot;
}

const target = <E extends Released>(
  property: Property,
  of: Kind<E>,
  fitting: Fitting<E>,
): Target => ({
  property,
  kind: of.kind,
  async find(tx, id) {
    const entity = await tx.find(of, id);
    if (!entity) return undefined;
    const fit = (phases: Phase[]) => requireFit(fitting.misfit(entity), phases);
    return { ...entity, requireFit: fit };
  },
  async put(tx, id, trigger) {
    const before = await tx.find(of, id);
    if (!before) return;
    const rules = rulesOf(before, trigger, fitting);
    const { appliedPhaseID, earlierPipelineID } = trigger;
    const releasePipelineID =
      appliedPhaseID === null ? earlierPipelineID : trigger.releasePipelineID;
    await update(tx, of, before, { ...before, rules, releasePipelineID }, 'release');
  },
});

function requireFit(misfit: ReturnType<Fitting<Entity>['misfit']>, phases: Phase[]): void {
  const errors = phases.flatMap(({ name, rules }) => {
    const found = misfit(rules);
    const errorMessage = `names a pipeline whose rule ${found?.rule} in phase ${name} ${found?.message}`;
    return found ? [{ property: 'releasePipelineID', errorMessage }] : [];
  });
  if (errors.length > 0) throw Problem.invalid(errors);
}

/** The values of rules satisfy the schema of the config; a rule without has those of its own rule of the name, or place. */
const configRules: Fitting<DynamicConfig> = {
  misfit({ schema }) {
    const misfit = misfitOf(schema);
    return (rules) => {
      const [first] = rules.flatMap(({ name, returnValue, variants = [] }) => {
        const values = [returnValue, ...variants.map((variant) => variant.returnValue)];
        const [found] = values.flatMap((value) => (value && misfit(value)) ?? []);
        return found ? [{ rule: name, message: `does not satisfy the schema: ${found}` }] : [];
      });
      return first;
    };
  },
  completed: (rules, own) =>
    rules.map((rule, place) => {
      const same = own.find(({ name }) => name === rule.name) ?? own[place] ?? own.at(-1);
      if (rule.returnValue || rule.variants || !same) return rule;
      const { returnValue, variants } = same;
      return { ...rule, ...(returnValue && { returnValue }), ...(variants && { variants }) };
    }),
};

/** What can be released; one more kind is one more line. */
const targets = [
  target('gateID', gates, anyRules),
  target('dynamicConfigID', dynamicConfigs, configRules),
];

/** The one thing that a trigger, or the body that starts it, names to be released. */
export function targetOf(named: { [P in Property]?: string | null | undefined }) {
  const [only] = targets.flatMap((candidate) => {
    const id = named[candidate.property];
    return id ? [{ target: candidate, id }] : [];
  });
  if (!only) throw Problem.property('gateID', 'or dynamicConfigID is required');
  return only;
}

/** Stages the rules that a trigger puts in force; 409 where they do not fit. */
export async function putInForce(tx: Transaction, trigger: Trigger): Promise<void> {
  const { target, id } = targetOf(trigger);
  await target.put(tx, id, trigger);
}
