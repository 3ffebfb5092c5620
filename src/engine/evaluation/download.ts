import { hexHash, listedHash } from './hash.ts';
import type { Project, Spec, SpecCondition, SpecRule } from './spec.ts';
import { environmentOf } from './user.ts';

/** SDKs require it, and do not use it. */
const companyID = 'experimentation-console';

/** `time` only increases: SDKs ignore an older download. */
function common(project: Project, time: number) {
  const { environments, targetAppID, idLists, paramStores } = project;
  const stores = [...paramStores].map(([id, { version, parameters }]) => [
    id,
    { version, targetAppIDs: [], parameters },
  ]);
  return {
    has_updates: true as const,
    time,
    company_id: companyID,
    // Without it, a server SDK fails every rule with environments unless its app sets one.
    default_environment: environmentOf(environments),
    ...(targetAppID !== null && { app_id: targetAppID }),
    id_lists: Object.fromEntries([...idLists.keys()].map((id) => [id, true])),
    param_stores: Object.fromEntries(stores),
    diagnostics: {},
    sdk_flags: {},
    sdk_configs: {},
  };
}

function membersOfLayers({ layerOfExperiment }: Project): Record<string, string[]> {
  const members = new Map(
    [...layerOfExperiment.values()].map((layer): [string, string[]] => [layer, []]),
  );
  for (const [experiment, layer] of layerOfExperiment) members.get(layer)?.push(experiment);
  return Object.fromEntries(members);
}

/** Returns the download for server SDKs in plain JavaScript and for mobile SDKs. `time` in milliseconds. */
export const downloadV1 = (project: Project, time: number) => ({
  ...common(project, time),
  response_format: 'dcs-v1',
  feature_gates: [...project.gates.values()],
  dynamic_configs: [...project.configs.values()],
  layer_configs: [...project.layers.values()],
  layers: membersOfLayers(project),
});

class ConditionMap {
  readonly #keys = new Map<string, string>();
  readonly conditions: Record<string, SpecCondition> = {};

  keyOf(condition: SpecCondition): string {
    const text = JSON.stringify(condition);
    const key = this.#keys.get(text) ?? hexHash(text).slice(0, 16);
    this.#keys.set(text, key);
    this.conditions[key] = condition;
    return key;
  }
}

const namedSpecs = (specs: ReadonlyMap<string, Spec>, map: ConditionMap) =>
  Object.fromEntries(
    [...specs].map(([key, { name: _name, ...spec }]) => {
      const rules = spec.rules.map(({ conditions, ...rule }: SpecRule) => ({
        ...rule,
        conditions: conditions.map((condition) => map.keyOf(condition)),
      }));
      return [key, { ...spec, rules }];
    }),
  );

/** Returns the download for server SDKs with a native core. `time` in milliseconds. */
export function downloadV2(project: Project, time: number) {
  const map = new ConditionMap();
  return {
    ...common(project, time),
    response_format: 'dcs-v2',
    feature_gates: namedSpecs(project.gates, map),
    dynamic_configs: namedSpecs(project.configs, map),
    layer_configs: namedSpecs(project.layers, map),
    condition_map: map.conditions,
    experiment_to_layer: Object.fromEntries(project.layerOfExperiment),
  };
}

/** Returns the file of an ID list: one line for the hash of each ID. */
export const idListFile = (ids: readonly string[]): string =>
  ids.map((id) => `+${listedHash(id)}\n`).join('');
