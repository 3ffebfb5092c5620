import { compileAutotune } from './compile/autotune.ts';
import { compileConfig } from './compile/config.ts';
import { compileExperiment } from './compile/experiment.ts';
import { flagsOf } from './compile/flags.ts';
import { fillGaps } from './compile/gaps.ts';
import { compileGate } from './compile/gate.ts';
import { compileGroupGate, groupGates } from './compile/groups.ts';
import { compileHoldout } from './compile/holdout.ts';
import { compileLayer } from './compile/layer.ts';
import { narrowToApp } from './compile/narrow.ts';
import { compileParamStore } from './compile/param_store.ts';
import { hasInlineTargeting, inLayer, inOrderOfStart, outsideLayers } from './compile/placement.ts';
import { type CompileScope, compileScope } from './compile/scope.ts';
import { compileSegment, hasIDList } from './compile/segment.ts';
import { servedOf } from './compile/served.ts';
import { compileTargeting } from './compile/targeting.ts';
import type { Entities, ExperimentEntity } from './entities.ts';
import type { Project, Spec } from './spec.ts';

export interface ProjectScope {
  readonly environments: readonly string[] | null;
  readonly targetAppID: string | null;
}

export const unboundedScope: ProjectScope = { environments: null, targetAppID: null };

const specsByName = (specs: readonly Spec[]) => new Map(specs.map((spec) => [spec.name, spec]));

function layerPlacements({ layers, experiments }: Entities) {
  const inOrder = inOrderOfStart(experiments);
  const members = new Map<string, ExperimentEntity[]>(layers.map(({ id }) => [id, []]));
  for (const experiment of inOrder) members.get(experiment.layerID ?? '')?.push(experiment);
  return layers.map((layer) => {
    const own = members.get(layer.id) ?? [];
    return { layer, members: own, place: inLayer(layer, own) };
  });
}

function compileExperiments(served: Entities, scope: CompileScope) {
  const placed = layerPlacements(served);
  const places = new Map(placed.map(({ layer, place }) => [layer.id, place]));
  return {
    experiments: served.experiments.map((experiment) => {
      const place = places.get(experiment.layerID ?? '') ?? outsideLayers(experiment);
      return compileExperiment(experiment, place, scope);
    }),
    layers: specsByName(
      placed.map(({ layer, members, place }) => compileLayer(layer, members, place, scope)),
    ),
    layerOfExperiment: new Map(
      placed.flatMap(({ layer, members }) => members.map(({ id }) => [id, layer.id])),
    ),
  };
}

/** The gates of inline targeting, and of `experiment_group` conditions on experiments. */
function gatesOfExperiments(
  served: Entities,
  configs: ReadonlyMap<string, Spec>,
  scope: CompileScope,
): Spec[] {
  const gates = groupGates(served).flatMap((gate) => {
    const experiment = configs.get(gate.experimentID);
    return experiment?.entity === 'experiment' ? [compileGroupGate(gate, experiment)] : [];
  });
  const targeted = served.experiments.filter(hasInlineTargeting);
  return [...targeted.map((experiment) => compileTargeting(experiment, scope)), ...gates];
}

function compileAll(entities: Entities, environments: readonly string[] | null): Project {
  const scope = compileScope(entities, environments);
  const served = servedOf(entities);
  const { experiments, layers, layerOfExperiment } = compileExperiments(served, scope);
  const configs = specsByName([
    ...served.dynamicConfigs.map((config) => compileConfig(config, scope)),
    ...experiments,
    ...served.autotunes.map(compileAutotune),
  ]);
  const gates = specsByName([
    ...served.gates.map((gate) => compileGate(gate, scope)),
    ...served.holdouts.map((holdout) => compileHoldout(holdout, scope)),
    ...served.segments.map((segment) => compileSegment(segment, scope)),
    ...gatesOfExperiments(served, configs, scope),
  ]);
  const paramStores = new Map(
    served.paramStores.map((store) => [store.id, compileParamStore(store)]),
  );
  const archived = entities.gates.filter(({ status }) => status === 'Archived');
  const lists = { gates, configs, layers, paramStores };
  return {
    ...lists,
    ...fillGaps(lists, specsByName(archived.map((gate) => compileGate(gate, scope)))),
    idLists: new Map(served.segments.filter(hasIDList).map(({ id, ids }) => [id, ids])),
    layerOfExperiment,
    flags: flagsOf(served),
    environments,
    targetAppID: null,
  };
}

/** Compiles entities for a key. Gates, segments, configs and holdouts are compiled only if the object is new. */
export function compileSpec(
  entities: Entities,
  { environments, targetAppID }: ProjectScope,
): Project {
  const project = compileAll(entities, environments);
  return targetAppID === null ? project : narrowToApp(project, targetAppID);
}
