import type { ParamStoreEntity } from '../entities.ts';
import type { SpecParamStore } from '../spec.ts';

export const compileParamStore = ({
  id,
  version,
  parameters,
}: ParamStoreEntity): SpecParamStore => ({
  name: id,
  version,
  parameters: Object.fromEntries(parameters.map(({ name, ...parameter }) => [name, parameter])),
});
