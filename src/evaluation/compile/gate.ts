import type { GateEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { compileRules, disabled, gateSpec, holdoutRules, ruleOf } from './rules.ts';
import { oncePerEntity, type Scope } from './scope.ts';
import { unitOverrideRules } from './unit_overrides.ts';

/**
 * A gate. A launched one keeps its overrides and holdouts in front: a holdout is there to measure what was launched,
 * and a failing id protects somebody.
 */
export const compileGate = oncePerEntity((gate: GateEntity, scope: Scope): Spec => {
  const { id, idType, version, status } = gate;
  const salt = gate.salt ?? id;
  const launched = ruleOf({ id: 'launched', returnValue: true, idType });
  const own = compileRules(gate.rules, { idType, salt, returnValue: () => true }, scope);
  const held = { idType, passPercentage: 0, returnValue: false };
  const spec = gateSpec({
    name: id,
    salt,
    entity: 'feature_gate',
    idType,
    version,
    rules: [
      ...unitOverrideRules(gate.overrides, scope),
      ...holdoutRules(gate.holdoutIDs, held, scope),
      ...(status === 'Launched' ? [launched] : own),
    ],
  });
  return status === 'In Progress' || status === 'Launched' ? spec : disabled(spec);
});
