import { madeOnce } from '../../shared/made_once.ts';
import type { ParamStore, Project, Spec } from '../spec.ts';

/** The gates that the conditions of a spec ask; looked for once, as most specs outlive many changes of others. */
export const gatesAsked = madeOnce(({ rules }: Spec): readonly string[] =>
  rules
    .flatMap(({ conditions }) => conditions)
    .filter(({ type }) => type === 'pass_gate' || type === 'fail_gate')
    .map(({ targetValue }) => String(targetValue)),
);

/** The experiments that a layer hands its units on to. */
export const delegates = ({ rules }: Spec): string[] =>
  rules.flatMap(({ configDelegate }) => configDelegate ?? []);

/** The gates that a param store takes values from. */
export const storeGates = ({ parameters }: ParamStore): string[] =>
  Object.values(parameters).flatMap(({ gate_name }) => gate_name ?? []);

/** The configs and layers that a param store takes values from. */
export const storeSources = ({ parameters }: ParamStore) => ({
  configs: Object.values(parameters).flatMap(
    ({ config_name, experiment_name }) => config_name ?? experiment_name ?? [],
  ),
  layers: Object.values(parameters).flatMap(({ layer_name }) => layer_name ?? []),
});

/** What a project can look up by name. */
export type Lists = Pick<Project, 'gates' | 'configs' | 'layers' | 'paramStores'>;
