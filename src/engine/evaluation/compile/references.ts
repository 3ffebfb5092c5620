import { memoize } from '../../../base/memoize.ts';
import type { Project, Spec, SpecParamStore } from '../spec.ts';

/** Returns the gates in the conditions of a spec. Cached, because most specs survive many changes of others. */
export const gateDependencies = memoize(({ rules }: Spec): readonly string[] =>
  rules
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === 'pass_gate' || type === 'fail_gate')
    .map(({ targetValue }) => String(targetValue)),
);

export const delegates = ({ rules }: Spec): string[] =>
  rules.flatMap(({ configDelegate }) => configDelegate ?? []);

export const storeGates = ({ parameters }: SpecParamStore): string[] =>
  Object.values(parameters).flatMap(({ gate_name }) => gate_name ?? []);

export const storeSources = ({ parameters }: SpecParamStore) => ({
  configs: Object.values(parameters).flatMap(
    ({ config_name, experiment_name }) => config_name ?? experiment_name ?? [],
  ),
  layers: Object.values(parameters).flatMap(({ layer_name }) => layer_name ?? []),
});

export type SpecLists = Pick<Project, 'gates' | 'configs' | 'layers' | 'paramStores'>;
