import { compileAutotune } from './compile/autotune.ts';
import { compileConfig } from './compile/config.ts';
import { compileExperiment } from './compile/experiment.ts';
import { flagsOf } from './compile/flags.ts';
import { mended } from './compile/gaps.ts';
import { compileGate } from './compile/gate.ts';
import { compileGroupQuestion, groupQuestions } from './compile/groups.ts';
import { compileHoldout } from './compile/holdout.ts';
import { compileLayer } from './compile/layer.ts';
import { narrowed } from './compile/narrow.ts';
import { compileParamStore } from './compile/param_store.ts';
import { alone, hasInlineTargeting, inLayer, inOrderOfStart } from './compile/placement.ts';
import { type Scope, scopeOf } from './compile/scope.ts';
import { compileSegment, hasIDList } from './compile/segment.ts';
import { servedOf } from './compile/served.ts';
import { compileTargeting } from './compile/targeting.ts';
import type { Entities, ExperimentEntity } from './entities.ts';
import type { Project, Spec } from './spec.ts';

/** What a key may evaluate; null is unbounded. */
export interface KeyScope {
  readonly environments: readonly string[] | null;
  readonly targetAppID: string | null;
}

/** What a key without bounds may. */
export const unbounded: KeyScope = { environments: null, targetAppID: null };

const byName = (specs: readonly Spec[]) => new Map(specs.map((spec) => [spec.name, spec]));

/** The layers, each with its experiments and what it gives them. */
function placements({ layers, experiments }: Entities) {
  const inOrder = inOrderOfStart(experiments);
  const members = new Map<string, ExperimentEntity[]>(layers.map(({ id }) => [id, []]));
  for (const experiment of inOrder) members.get(experiment.layerID ?? '')?.push(experiment);
  return layers.map((layer) => {
    const own = members.get(layer.id) ?? [];
    return { layer, members: own, place: inLayer(layer, own) };
  });
}

/** Layers, and experiments in them and outside of them. */
function compileExperiments(served: Entities, scope: Scope) {
  const placed = placements(served);
  const places = new Map(placed.map(({ layer, place }) => [layer.id, place]));
  return {
    experiments: served.experiments.map((experiment) => {
      const place = places.get(experiment.layerID ?? '') ?? alone(experiment);
      return compileExperiment(experiment, place, scope);
    }),
    layers: byName(
      placed.map(({ layer, members, place }) => compileLayer(layer, members, place, scope)),
    ),
    layerOfExperiment: new Map(
      placed.flatMap(({ layer, members }) => members.map(({ id }) => [id, layer.id])),
    ),
  };
}

/** The gates that experiments bring along: their own targeting, and what rules ask about their groups. */
function gatesOfExperiments(
  served: Entities,
  configs: ReadonlyMap<string, Spec>,
  scope: Scope,
): Spec[] {
  const questions = groupQuestions(served).flatMap((question) => {
    const experiment = configs.get(question.experimentID);
    return experiment?.entity === 'experiment' ? [compileGroupQuestion(question, experiment)] : [];
  });
  const targeted = served.experiments.filter(hasInlineTargeting);
  return [...targeted.map((experiment) => compileTargeting(experiment, scope)), ...questions];
}

/** Everything, as keys of some environments evaluate it. */
function compileAll(entities: Entities, environments: readonly string[] | null): Project {
  const scope = scopeOf(entities, environments);
  const served = servedOf(entities);
  const { experiments, layers, layerOfExperiment } = compileExperiments(served, scope);
  const configs = byName([
    ...served.dynamicConfigs.map((config) => compileConfig(config, scope)),
    ...experiments,
    ...served.autotunes.map(compileAutotune),
  ]);
  const gates = byName([
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
    ...mended(lists, byName(archived.map((gate) => compileGate(gate, scope)))),
    idLists: new Map(served.segments.filter(hasIDList).map(({ id, ids }) => [id, ids])),
    layerOfExperiment,
    flags: flagsOf(served),
    environments,
    targetAppID: null,
  };
}

/**
 * Compiles entities to what one key evaluates and downloads. Gates, segments, dynamic configs and holdouts that are
 * the same objects as before are not compiled again; layers and experiments are, as they depend on each other.
 */
export function compile(entities: Entities, { environments, targetAppID }: KeyScope): Project {
  const project = compileAll(entities, environments);
  return targetAppID === null ? project : narrowed(project, targetAppID);
}
