import { Problem } from '../../problem.ts';
import { type Rule, withRuleIDs } from '../../shared/rules.ts';
import type { Entity } from '../../store/columns.ts';
import type { Kind } from '../../store/kind.ts';
import type { Transaction } from '../../store/transaction.ts';
import { misfitOf } from '../dynamic_configs/json_schema.ts';
import type { DynamicConfig } from '../dynamic_configs/schema.ts';
import { dynamicConfigs } from '../dynamic_configs/table.ts';
import { gates } from '../gates/table.ts';
import type { Phase } from '../release_pipelines/schema.ts';
import type { Trigger } from './schema.ts';

/** What a trigger can release: an entity whose rules follow the phases. */
interface Released extends Entity {
  rules: Rule[];
  releasePipelineID: string | null;
}

/** What is released, as a release finds it. */
interface Found {
  rules: Rule[];
  version: number;
  /** 400 where it cannot have the rules of these phases. */
  requireFit(phases: Phase[]): void;
}

type Property = 'gateID' | 'dynamicConfigID';

export interface Target {
  /** The property of a trigger that names it. */
  property: Property;
  kind: string;
  find(tx: Transaction, id: string): Promise<Found | undefined>;
  /** Stages the rules that the trigger puts in force, and the pipeline they come from. */
  put(tx: Transaction, id: string, trigger: Trigger): Promise<void>;
}

const rulesOf = ({ phases, appliedPhaseID, configSnapshot }: Trigger) =>
  phases.find(({ id }) => id === appliedPhaseID)?.rules ?? configSnapshot;

const target = <E extends Released>(
  property: Property,
  of: Kind<E>,
  requireFit: (entity: E, phases: Phase[]) => void = () => {},
): Target => ({
  property,
  kind: of.kind,
  async find(tx, id) {
    const entity = await tx.find(of, id);
    if (!entity) return undefined;
    const { rules, version } = entity;
    return { rules, version, requireFit: (phases) => requireFit(entity, phases) };
  },
  async put(tx, id, trigger) {
    const before = await tx.find(of, id);
    if (!before) return;
    const rules = withRuleIDs(rulesOf(trigger), before.rules);
    const next = { ...before, rules, releasePipelineID: trigger.releasePipelineID };
    const after = tx.update(of, before, next, 'release');
    if (after !== before) await of.entails(tx, before, after);
  },
});

/** The values that the phases would return must satisfy the schema of the config, as those of its own rules. */
function requireSchema({ schema }: DynamicConfig, phases: Phase[]): void {
  const misfit = misfitOf(schema);
  const errors = phases.flatMap((phase) =>
    phase.rules.flatMap(({ name, returnValue }) => {
      const found = returnValue && misfit(returnValue);
      const errorMessage = `names a pipeline whose rule ${name} in phase ${phase.name} does not satisfy the schema: ${found}`;
      return found ? [{ property: 'releasePipelineID', errorMessage }] : [];
    }),
  );
  if (errors.length > 0) throw Problem.invalid(errors);
}

/** What can be released; one more kind is one more line. */
const targets = [target('gateID', gates), target('dynamicConfigID', dynamicConfigs, requireSchema)];

/** The one thing that a trigger, or the body that starts it, names to be released. */
export function targetOf(named: { [P in Property]?: string | null | undefined }) {
  const found = targets.flatMap((candidate) => {
    const id = named[candidate.property];
    return id ? [{ target: candidate, id }] : [];
  });
  const [only] = found;
  if (!only) throw Problem.property('gateID', 'or dynamicConfigID is required');
  return only;
}
