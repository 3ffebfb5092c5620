import type { DynamicConfigEntity } from '../entities.ts';
import type { Spec } from '../spec.ts';
import { compileRules, configSpec, disable, holdoutRules } from './rules.ts';
import { type CompileScope, oncePerEntity } from './scope.ts';

/** Compiles a dynamic config. A rule without a value returns the default. */
export const compileConfig = oncePerEntity(
  (config: DynamicConfigEntity, scope: CompileScope): Spec => {
    const { id, idType, version, defaultValue } = config;
    const heldOut = { idType, passPercentage: 0, returnValue: defaultValue };
    const spec = configSpec({
      name: id,
      salt: id,
      entity: 'dynamic_config',
      idType,
      version,
      defaultValue,
      rules: [
        ...holdoutRules(config.holdoutIDs, heldOut, scope),
        ...compileRules(
          config.rules,
          { idType, salt: id, returnValue: (own) => own ?? defaultValue },
          scope,
        ),
      ],
    });
    return config.status === 'In Progress' ? spec : disable(spec);
  },
);
