import type { HoldoutEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { failsGate } from './conditions.ts';
import { disable, gateSpec, specRule } from './rules.ts';
import { type CompileScope, oncePerEntity } from './scope.ts';
import { unitOverrideRules } from './unit_overrides.ts';

/** Compiles a holdout to a gate that passes for held-out units. */
export const compileHoldout = oncePerEntity((holdout: HoldoutEntity, scope: CompileScope): Spec => {
  const { id, idType, version, passPercentage, targetingGateID } = holdout;
  const targeting = specRule({
    id: 'targetingGate',
    conditions: [failsGate(targetingGateID)],
    passPercentage: 0,
    returnValue: false,
    idType,
  });
  const draw = specRule({
    id: 'holdout',
    salt: 'holdout',
    passPercentage,
    returnValue: true,
    idType,
  });
  const spec = gateSpec({
    name: scope.holdoutName(id),
    salt: id,
    entity: 'holdout',
    idType,
    version,
    rules: [
      ...unitOverrideRules(holdout.overrides, scope),
      ...(targetingGateID ? [targeting] : []),
      draw,
    ],
  });
  return holdout.isEnabled ? spec : disable(spec);
});
