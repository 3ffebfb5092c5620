import type { GateEntity } from '../entities.ts';
import type { Rule, Spec } from '../spec.ts';
import { isUnit } from './conditions.ts';
import { alsoIn, compileRules, disabled, gateSpec, holdoutRules, ruleOf } from './rules.ts';
import { oncePerEntity, reaches, type Scope } from './scope.ts';

interface Listed {
  readonly verdict: 'pass' | 'fail';
  readonly environment?: string | null | undefined;
  readonly unit: string;
  readonly ids: readonly string[];
}

/** The units that pass or fail whatever the rules say, in the order in which they are looked at. */
function listed({ passingUserIDs, failingUserIDs, environmentOverrides }: GateEntity['overrides']) {
  const everywhere: Listed[] = [
    { verdict: 'pass', unit: 'userID', ids: passingUserIDs },
    { verdict: 'fail', unit: 'userID', ids: failingUserIDs },
  ];
  const somewhere = environmentOverrides.flatMap(
    ({ environment, unitID: unit, passingIDs, failingIDs }): Listed[] => [
      { verdict: 'pass', environment, unit, ids: passingIDs },
      { verdict: 'fail', environment, unit, ids: failingIDs },
    ],
  );
  return [...everywhere, ...somewhere].filter(({ ids }) => ids.length > 0);
}

const overrideRule = ({ verdict, environment, unit, ids }: Listed): Rule =>
  ruleOf({
    id: `${verdict}:${environment || 'all'}:${unit}:id_override`,
    passPercentage: verdict === 'pass' ? 100 : 0,
    conditions: alsoIn(environment, [isUnit(unit, ids)]),
    returnValue: true,
    idType: unit,
  });

/**
 * A gate. A launched one keeps its overrides and holdouts in front: a holdout is there to measure what was launched,
 * and a failing id protects somebody.
 */
export const compileGate = oncePerEntity((gate: GateEntity, scope: Scope): Spec => {
  const { id, idType, version, status } = gate;
  const overrides = listed(gate.overrides)
    .filter(({ environment }) => reaches(scope, environment ? [environment] : null))
    .map(overrideRule);
  const launched = ruleOf({ id: 'launched', returnValue: true, idType });
  const own = compileRules(gate.rules, { idType, returnValue: () => true }, scope);
  const held = { idType, passPercentage: 0, returnValue: false };
  const spec = gateSpec({
    name: id,
    salt: gate.salt ?? id,
    entity: 'feature_gate',
    idType,
    version,
    rules: [
      ...overrides,
      ...holdoutRules(gate.holdoutIDs, held, scope),
      ...(status === 'Launched' ? [launched] : own),
    ],
  });
  return status === 'In Progress' || status === 'Launched' ? spec : disabled(spec);
});
