import type { ParamStore, Project, Spec } from '../spec.ts';

const asked = new WeakMap<Spec, readonly string[]>();

/** The gates that the conditions of a spec ask; looked for once, as most specs outlive many changes of others. */
export function gatesAsked(spec: Spec): readonly string[] {
  const known = asked.get(spec);
  if (known) return known;
  const conditions = spec.rules.flatMap((rule) => rule.conditions);
  const names = conditions
    .filter(({ type }) => type === 'pass_gate' || type === 'fail_gate')
    .map(({ targetValue }) => String(targetValue));
  asked.set(spec, names);
  return names;
}

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
