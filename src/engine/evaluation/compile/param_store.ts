import type { ParamStoreEntity } from '../entities.ts';
import type { ParamStore } from '../spec.ts';

export const compileParamStore = ({ id, version, parameters }: ParamStoreEntity): ParamStore => ({
  name: id,
  version,
  parameters: Object.fromEntries(parameters.map(({ name, ...parameter }) => [name, parameter])),
});
