import { base } from './client.ts';
import { everyone, holdoutSettings } from './factories.ts';
import {
  emptyThing,
  isLocked,
  type Kind,
  lists,
  type Model,
  Refusal,
  type Thing,
} from './model.ts';
import type { Random } from './random.ts';

/** A change, and its effect on the model; `created` receives the ID from the response. */
export interface Step {
  method: string;
  path: string;
  body?: object;
  apply(model: Model): void;
  created?: (model: Model, id: string) => void;
}

const idsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}_${index}`);

/** Few IDs, so that changes often affect the same entities. */
const ids: Record<Kind | 'release_pipelines', string[]> = {
  gates: idsOf('gate', 6),
  dynamic_configs: idsOf('config', 2),
  experiments: idsOf('experiment', 4),
  layers: idsOf('layer', 2),
  holdouts: idsOf('holdout', 3),
  release_pipelines: idsOf('pipeline', 2),
};

const groups = ['Control', 'Test'].map((name) => ({ name, id: name, size: 50 }));

/** The only rule of an entity, with its dependencies. */
const ruleWith = (asks: string[]) => {
  const conditions = asks.map((name) => {
    const [kind, id] = name.split('/');
    const group = { type: 'experiment_group', field: id, operator: 'any', targetValue: ['Test'] };
    return kind === 'gates' ? { type: 'passes_gate', targetValue: id } : group;
  });
  return { ...everyone, name: 'only', conditions };
};

const rulesWith = (asks: string[]) => [{ ...ruleWith(asks), id: 'only', baseID: 'only' }];

const someAsks = (random: Random): string[] => [
  ...random.some(ids.gates, 1).map((id) => `gates/${id}`),
  ...(random.onceIn(5) ? [`experiments/${random.pick(ids.experiments)}`] : []),
];

/** Settings of an entity: the body, and the properties of the model. */
type Settings = [body: object, thing: Partial<Thing>];

function settingsOf(random: Random, kind: Kind): Settings {
  const asks = someAsks(random);
  switch (kind) {
    case 'gates':
    case 'dynamic_configs':
      return [{ rules: rulesWith(asks) }, { asks }];
    case 'experiments': {
      const targeting = random.onceIn(2) ? random.pick(ids.gates) : '';
      const layer = random.onceIn(2) ? random.pick(ids.layers) : '';
      const allocation = random.pick([30, 50, 100]);
      // A creation does not accept null for the layer.
      const body = { targetingGateID: targeting, ...(layer && { layerID: layer }), allocation };
      return [body, { targeting, layer, allocation }];
    }
    case 'layers':
      return [{}, {}];
    case 'holdouts': {
      const members = Object.fromEntries(
        Object.entries(lists).map(([list, of]) => [list, random.some(ids[of], 2)]),
      );
      const targeting = random.onceIn(2) ? random.pick(ids.gates) : '';
      const isGlobal = random.onceIn(5);
      const body = { ...holdoutSettings, ...members, targetingGateID: targeting, isGlobal };
      return [body, { members, targeting, isGlobal }];
    }
  }
}

const initial: Record<Kind, Partial<Thing>> = {
  gates: { status: 'In Progress' },
  dynamic_configs: { status: 'In Progress' },
  experiments: { status: 'setup' },
  layers: {},
  holdouts: {},
};

const pathTo = (...parts: (string | number)[]) => [base, ...parts].join('/');

function creating(random: Random, kind: Kind, id: string): Step {
  const [body, thing] = settingsOf(random, kind);
  const own = kind === 'experiments' ? { groups } : {};
  return {
    method: 'POST',
    path: pathTo(kind),
    body: { name: id, id, ...own, ...body },
    apply: (model) => model.create(`${kind}/${id}`, { ...emptyThing, ...initial[kind], ...thing }),
  };
}

/** All settings of a holdout, or only its targeting gate or its members. */
function partOf(random: Random): Settings {
  const [body, thing] = settingsOf(random, 'holdouts');
  const { targeting = '', members = {} } = thing;
  return random.pick<Settings>([
    [body, thing],
    [{ targetingGateID: targeting }, { targeting }],
    [members, { members }],
  ]);
}

function changing(random: Random, kind: Kind, id: string): Step {
  if (kind === 'layers') return describing(id);
  const [body, thing] = kind === 'holdouts' ? partOf(random) : settingsOf(random, kind);
  return {
    method: 'PATCH',
    path: pathTo(kind, id),
    // A patch without layerID would keep the layer.
    body: kind === 'experiments' ? { layerID: null, ...body } : body,
    apply(model) {
      const name = `${kind}/${id}`;
      const old = model.find(name);
      const next = { ...old, ...thing };
      if (kind === 'experiments' && isLocked(old, next)) throw new Refusal(409);
      if (kind === 'experiments') model.requireRoom(name, next);
      model.put(name, next);
    },
  };
}

/** An empty patch: layers are not modeled; their overrides have separate tests. */
const describing = (id: string): Step => ({
  method: 'PATCH',
  path: pathTo('layers', id),
  body: {},
  apply: (model) => void model.find(`layers/${id}`),
});

const removing = (kind: Kind, id: string): Step => ({
  method: 'DELETE',
  path: pathTo(kind, id),
  apply(model) {
    const name = `${kind}/${id}`;
    if (kind === 'experiments' && model.find(name).status === 'active') throw new Refusal(409);
    model.remove(name);
  },
});

function restoring(random: Random, known: Model, kind: Kind, id: string): Step {
  const version = 1 + random.below(known.version(`${kind}/${id}`) + 3);
  return {
    method: 'PUT',
    path: pathTo(kind, id, 'versions', version, 'restore'),
    apply: (model) => model.restore(`${kind}/${id}`, version),
  };
}

/** Starts, resets, archives or unarchives; other transitions have separate tests. */
function moving(random: Random): Step {
  const kind = random.pick(['gates', 'dynamic_configs', 'experiments', 'experiments'] as const);
  const id = random.pick(ids[kind]);
  const isExperiment = kind === 'experiments';
  const action = random.pick(isExperiment ? ['start', 'reset', 'archive'] : ['archive']);
  const apply = (model: Model) => {
    const name = `${kind}/${id}`;
    const old = model.find(name);
    const next = moved(old, action, isExperiment, model.batch);
    if (isExperiment) model.requireRoom(name, next);
    model.put(name, next);
  };
  const unarchiving = random.onceIn(2);
  if (!unarchiving || action !== 'archive')
    return { method: 'PUT', path: pathTo(kind, id, action), apply };
  return {
    method: 'PUT',
    path: pathTo(kind, id, 'unarchive'),
    apply(model) {
      const old = model.find(`${kind}/${id}`);
      const isArchived = old.archivedFrom !== '';
      if (!isArchived && isExperiment) throw new Refusal(409);
      const back = { ...old, status: old.archivedFrom, archivedFrom: '' };
      if (isArchived) model.put(`${kind}/${id}`, back);
    },
  };
}

function moved(old: Thing, action: string, isExperiment: boolean, batch: number): Thing {
  const { status } = old;
  if (action === 'start') {
    if (status !== 'setup') throw new Refusal(409);
    return { ...old, status: 'active', started: batch };
  }
  if (action === 'reset') {
    if (status !== 'active') throw new Refusal(409);
    return { ...old, status: 'setup', started: 0 };
  }
  if (old.archivedFrom !== '') return old;
  if (status === 'active') throw new Refusal(409);
  return { ...old, status: isExperiment ? 'archived' : 'Archived', archivedFrom: status };
}

/** Creates a pipeline whose phases depend on gates, or deletes one. */
function piping(random: Random): Step {
  const id = random.pick(ids.release_pipelines);
  const phases = [random.some(ids.gates, 1), []].map((gates) => gates.map((to) => `gates/${to}`));
  const phase = (asks: string[], index: number) => ({
    id: `phase_${index}`,
    name: `Phase ${index}`,
    timeIntervalMs: 3_600_000,
    rules: [ruleWith(asks)],
  });
  if (random.onceIn(3))
    return {
      method: 'DELETE',
      path: pathTo('release_pipelines', id),
      apply(model) {
        if (!model.pipelines.delete(id)) throw new Refusal(404);
      },
    };
  return {
    method: 'POST',
    path: pathTo('release_pipelines'),
    body: { name: id, id, phases: phases.map(phase) },
    apply(model) {
      if (model.pipelines.has(id)) throw new Refusal(409);
      model.pipelines.set(id, phases);
    },
  };
}

/** Starts the release of a gate. */
function releasing(random: Random): Step {
  const [gate, pipeline] = [random.pick(ids.gates), random.pick(ids.release_pipelines)];
  return {
    method: 'POST',
    path: pathTo('release_pipeline_triggers'),
    body: { gateID: gate, releasePipelineID: pipeline },
    apply(model) {
      const phases = model.pipelines.get(pipeline);
      if (!phases) throw new Refusal(400);
      if (model.running(gate)) throw new Refusal(409);
      const thing = model.things.get(`gates/${gate}`);
      if (!thing) throw new Refusal(400);
      const { asks: before, pipeline: earlier } = thing;
      const trigger = { gate, pipeline, earlier, phases, before, phase: 0, status: 'IN_PROGRESS' };
      model.triggers.set(`new ${gate}`, trigger);
      model.apply(trigger);
    },
    created(model, id) {
      const trigger = model.triggers.get(`new ${gate}`);
      model.triggers.delete(`new ${gate}`);
      if (trigger) model.triggers.set(id, trigger);
    },
  };
}

/** Completes or aborts a release. */
function ending(random: Random, known: Model): Step | undefined {
  const all = [...known.triggers].filter(([id]) => !id.startsWith('new '));
  if (all.length === 0) return undefined;
  const [id, { phase }] = random.pick(all.slice(-4));
  const action = random.pick(['abort', 'rollout']);
  return {
    method: 'PUT',
    path: pathTo('release_pipeline_triggers', id, action),
    body: { phaseID: `phase_${phase}` },
    apply(model) {
      const trigger = model.triggers.get(id);
      if (trigger?.status !== 'IN_PROGRESS') throw new Refusal(409);
      const last = trigger.phases.length - 1;
      const ended =
        action === 'abort'
          ? { ...trigger, status: 'ABORTED' }
          : { ...trigger, status: 'COMPLETED', phase: last };
      model.triggers.set(id, ended);
      if (action === 'abort' || trigger.phase !== last) model.apply(ended);
    },
  };
}

/** Returns entities that many changes of a batch affect. */
export function randomFocus(random: Random): [Kind, string][] {
  const third = random.pick<Kind>(['experiments', 'layers', 'dynamic_configs']);
  const kinds: Kind[] = ['gates', 'holdouts', third];
  return kinds.map((kind) => [kind, random.pick(ids[kind])]);
}

function randomTarget(random: Random, focus: [Kind, string][]): [Kind, string] {
  if (!random.onceIn(3)) return random.pick(focus);
  const kind = random.pick([
    'gates',
    'gates',
    'dynamic_configs',
    'experiments',
    'layers',
    'holdouts',
  ] as const);
  return [kind, random.pick(ids[kind])];
}

/** Returns a random change; `known` is the state before it. */
export function randomStep(random: Random, known: Model, focus: [Kind, string][]): Step {
  const other = random.below(20);
  if (other === 0) return piping(random);
  if (other === 1) return releasing(random);
  if (other === 2) return ending(random, known) ?? releasing(random);
  if (other < 5) return moving(random);
  const [kind, id] = randomTarget(random, focus);
  const isThere = known.things.has(`${kind}/${id}`);
  const choice = random.below(10);
  if (!isThere && choice > 0)
    return choice < 6 ? creating(random, kind, id) : restoring(random, known, kind, id);
  if (choice < 6) return changing(random, kind, id);
  return choice < 9 ? removing(kind, id) : restoring(random, known, kind, id);
}
