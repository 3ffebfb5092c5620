import type { DynamicConfigEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { compileRules, configSpec, disabled, holdoutRules } from './rules.ts';
import { oncePerEntity, type Scope } from './scope.ts';

/** A dynamic config. A rule without a value of its own answers the default. */
export const compileConfig = oncePerEntity((config: DynamicConfigEntity, scope: Scope): Spec => {
  const { id, idType, version, defaultValue } = config;
  const held = { idType, passPercentage: 0, returnValue: defaultValue };
  const spec = configSpec({
    name: id,
    salt: id,
    entity: 'dynamic_config',
    idType,
    version,
    defaultValue,
    rules: [
      ...holdoutRules(config.holdoutIDs, held, scope),
      ...compileRules(
        config.rules,
        { idType, salt: id, returnValue: (own) => own ?? defaultValue },
        scope,
      ),
    ],
  });
  return config.status === 'In Progress' ? spec : disabled(spec);
});
