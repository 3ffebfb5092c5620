import type { GateEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { compileRules, disable, gateSpec, holdoutRules, specRule } from './rules.ts';
import { type CompileScope, oncePerEntity } from './scope.ts';
import { unitOverrideRules } from './unit_overrides.ts';

/** Compiles a gate. When launched, it keeps its overrides and its holdouts, which measure launched gates. */
export const compileGate = oncePerEntity((gate: GateEntity, scope: CompileScope): Spec => {
  const { id, idType, version, status } = gate;
  const salt = gate.salt ?? id;
  const launched = specRule({ id: 'launched', returnValue: true, idType });
  const own = compileRules(gate.rules, { idType, salt, returnValue: () => true }, scope);
  const heldOut = { idType, passPercentage: 0, returnValue: false };
  const spec = gateSpec({
    name: id,
    salt,
    entity: 'feature_gate',
    idType,
    version,
    rules: [
      ...unitOverrideRules(gate.overrides, scope),
      ...holdoutRules(gate.holdoutIDs, heldOut, scope),
      ...(status === 'Launched' ? [launched] : own),
    ],
  });
  return status === 'In Progress' || status === 'Launched' ? spec : disable(spec);
});
