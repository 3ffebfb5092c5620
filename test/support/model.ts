/** The kinds of the model, by their paths. */
export type Kind = 'gates' | 'dynamic_configs' | 'experiments' | 'layers' | 'holdouts';

/** The modeled properties of an entity; empty if its kind lacks them. */
export interface Thing {
  /** The batches of its creation and its start, which stand for times: all changes of a batch have one time. */
  born: number;
  started: number;
  /** Gates and experiments that its rules depend on, as `gates/x`. */
  asks: string[];
  targeting: string;
  layer: string;
  status: string;
  archivedFrom: string;
  allocation: number;
  /** For a layer: gates that assign a group of an experiment. */
  overrides: { gate: string; experiment: string }[];
  members: Record<string, string[]>;
  isGlobal: boolean;
  pipeline: string;
}

export interface Trigger {
  gate: string;
  pipeline: string;
  /** The previous pipeline of the gate; empty for none. */
  earlier: string;
  /** The dependencies of the rules in each phase, and before the release. */
  phases: string[][];
  before: string[];
  phase: number;
  status: string;
}

/** A change that is rejected regardless of later changes. */
export class Refusal extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

/** Whether a change would modify locked properties of a started experiment, or restore an earlier run. */
export const isLocked = (old: Thing, next: Thing): boolean =>
  ![old.status, next.status].includes('setup') &&
  (old.layer !== next.layer ||
    old.targeting !== next.targeting ||
    (old.started > 0 && old.started !== next.started));

/** The kinds of members of a holdout, by property. */
export const lists: Record<string, Kind> = {
  gateIDs: 'gates',
  experimentIDs: 'experiments',
  layerIDs: 'layers',
  dynamicConfigIDs: 'dynamic_configs',
};

export const emptyThing: Thing = {
  born: 0,
  started: 0,
  asks: [],
  targeting: '',
  layer: '',
  status: '',
  archivedFrom: '',
  allocation: 100,
  overrides: [],
  members: { gateIDs: [], experimentIDs: [], layerIDs: [], dynamicConfigIDs: [] },
  isGlobal: false,
  pipeline: '',
};

const isUnfinished = ({ status }: Trigger) => status === 'IN_PROGRESS' || status === 'PAUSED';
const archived = new Set(['Archived', 'archived']);

/** A state as text, independent of the order of its properties. */
const textOf = (thing: Thing) =>
  JSON.stringify(Object.entries(thing).sort(([one], [other]) => (one < other ? -1 : 1)));

/** The expected contents of the database: a few properties of each entity, and its versions. */
export class Model {
  things = new Map<string, Thing>();
  /** All states of each ID by version; a removal has the state before it. */
  history = new Map<string, Thing[]>();
  triggers = new Map<string, Trigger>();
  pipelines = new Map<string, string[][]>();
  batch = 0;

  /** Returns a copy; the values in the maps are immutable. */
  fork(): Model {
    const { batch } = this;
    return Object.assign(new Model(), {
      things: new Map(this.things),
      history: new Map(this.history),
      triggers: new Map(this.triggers),
      pipelines: new Map(this.pipelines),
      batch,
    });
  }

  find(name: string): Thing {
    const thing = this.things.get(name);
    if (!thing) throw new Refusal(404);
    return thing;
  }

  version(name: string): number {
    return this.history.get(name)?.length ?? 0;
  }

  private record(name: string, thing: Thing) {
    this.history.set(name, [...(this.history.get(name) ?? []), thing]);
  }

  /** Stores a state, unless it is equal. `isOther`: a holdout has added or removed the entity. */
  put(name: string, thing: Thing, isOther = false) {
    const old = this.things.get(name);
    if (old && !isOther && textOf(old) === textOf(thing)) return;
    this.things.set(name, thing);
    this.record(name, thing);
    if (name.startsWith('holdouts/')) this.moveMembers(old, thing);
  }

  remove(name: string) {
    const thing = this.find(name);
    this.things.delete(name);
    this.record(name, thing);
    if (name.startsWith('holdouts/')) this.moveMembers(thing, undefined);
  }

  /** Adds a version to each member that joins or leaves a holdout. */
  private moveMembers(before: Thing | undefined, after: Thing | undefined) {
    for (const [list, kind] of Object.entries(lists)) {
      const [old, now] = [before?.members[list] ?? [], after?.members[list] ?? []];
      const moving = new Set(
        [...old, ...now].filter((id) => old.includes(id) !== now.includes(id)),
      );
      for (const id of moving) {
        const member = this.things.get(`${kind}/${id}`);
        if (member) this.put(`${kind}/${id}`, member, true);
      }
    }
  }

  create(name: string, thing: Thing) {
    if (this.things.has(name)) throw new Refusal(409);
    const [kind = '', id = ''] = name.split('/');
    if (kind === 'gates') this.joinGlobal(id);
    this.put(name, { ...thing, born: this.batch });
  }

  /** Adds a new gate to all global holdouts, which are in its first version. */
  private joinGlobal(id: string) {
    for (const [name, holdout] of this.things) {
      if (!holdout.isGlobal || holdout.members.gateIDs?.includes(id)) continue;
      const gateIDs = [...(holdout.members.gateIDs ?? []), id];
      const joined = { ...holdout, members: { ...holdout.members, gateIDs } };
      this.things.set(name, joined);
      this.record(name, joined);
    }
  }

  restore(name: string, version: number) {
    const snapshot = this.history.get(name)?.[version - 1];
    if (!snapshot) throw new Refusal(404);
    const current = this.things.get(name);
    if (name.startsWith('experiments/') && current && isLocked(current, snapshot))
      throw new Refusal(409);
    this.requireRoom(name, snapshot);
    this.put(name, snapshot);
  }

  /** Throws 409 if active experiments would take more than 100% of a layer. */
  requireRoom(name: string, thing: Thing) {
    if (thing.status !== 'active' || !thing.layer) return;
    const old = this.things.get(name);
    const had = old?.status === 'active' && old.layer === thing.layer ? old.allocation : 0;
    if (thing.allocation <= had) return;
    const others = [...this.things].filter(
      ([other, { status, layer }]) =>
        other !== name && status === 'active' && layer === thing.layer,
    );
    const taken = others.reduce((sum, [, { allocation }]) => sum + allocation, 0);
    if (taken + thing.allocation > 100) throw new Refusal(409);
  }

  /** Returns all references as `[from, to]`. */
  names(): [string, string][] {
    const named = [...this.things].flatMap(([from, thing]) =>
      [
        ...thing.asks,
        thing.targeting && `gates/${thing.targeting}`,
        thing.layer && `layers/${thing.layer}`,
        thing.pipeline && `release_pipelines/${thing.pipeline}`,
        ...thing.overrides.flatMap(({ gate, experiment }) => [
          `gates/${gate}`,
          `experiments/${experiment}`,
        ]),
        ...Object.entries(lists).flatMap(([list, kind]) =>
          (thing.members[list] ?? []).map((id) => `${kind}/${id}`),
        ),
      ].map((to): [string, string] => [from, to]),
    );
    const released = [...this.triggers].flatMap(([id, trigger]) =>
      isUnfinished(trigger)
        ? [
            `gates/${trigger.gate}`,
            `release_pipelines/${trigger.pipeline}`,
            trigger.earlier && `release_pipelines/${trigger.earlier}`,
            ...trigger.phases.flat(),
            ...trigger.before,
          ].map((to): [string, string] => [id, to])
        : [],
    );
    const phases = [...this.pipelines].flatMap(([id, all]) =>
      all.flat().map((to): [string, string] => [id, to]),
    );
    return [...named, ...released, ...phases].filter(([, to]) => to !== '');
  }

  /** Whether each referenced entity exists and is not archived. */
  isWhole(): boolean {
    return this.names().every(([, to]) => {
      const [kind = '', id = ''] = to.split('/');
      if (kind === 'release_pipelines') return this.pipelines.has(id);
      const thing = this.things.get(to);
      return thing !== undefined && !archived.has(thing.status);
    });
  }

  /** The direct dependencies of an evaluation. */
  private dependenciesOf(name: string): string[] {
    const thing = this.things.get(name);
    if (!thing) return [];
    const [kind = '', id = ''] = name.split('/');
    const layer = kind === 'experiments' ? this.things.get(`layers/${thing.layer}`) : undefined;
    const gates = (layer?.overrides ?? []).filter(({ experiment }) => experiment === id);
    const holdouts = [...this.things].filter(([, { members }]) =>
      Object.entries(lists).some(
        ([list, of]) =>
          (of === kind && members[list]?.includes(id)) ||
          (of === 'layers' && layer && members[list]?.includes(thing.layer)),
      ),
    );
    return [
      ...thing.asks,
      ...(thing.targeting ? [`gates/${thing.targeting}`] : []),
      ...gates.map(({ gate }) => `gates/${gate}`),
      ...holdouts.map(([holdout]) => holdout),
    ];
  }

  /** The direct and indirect dependencies of an evaluation. */
  private reach(name: string): Set<string> {
    const found = new Set<string>();
    const visit = (from: string) => {
      for (const next of this.dependenciesOf(from)) {
        if (found.has(next)) continue;
        found.add(next);
        visit(next);
      }
    };
    visit(name);
    return found;
  }

  /** Whether an evaluation depends on itself, now or in a phase of a release that this batch starts. */
  hasCircle(): boolean {
    const released = [...this.triggers].flatMap(([id, { gate, phases }]) =>
      id.startsWith('new ')
        ? phases.flat().map((target) => [`gates/${gate}`, target] as const)
        : [],
    );
    return (
      [...this.things.keys()].some((name) => this.reach(name).has(name)) ||
      released.some(([gate, target]) => target === gate || this.reach(target).has(gate))
    );
  }

  /** The unfinished release of a gate. */
  running(gate: string): Trigger | undefined {
    return [...this.triggers.values()].find(
      (trigger) => trigger.gate === gate && isUnfinished(trigger),
    );
  }

  /** Applies the rules of the current phase to the gate, or the earlier rules after an abort. */
  apply({ gate, phases, before, phase, status, ...trigger }: Trigger) {
    const thing = this.things.get(`gates/${gate}`);
    const isAborted = status === 'ABORTED';
    const asks = (isAborted ? before : phases[phase]) ?? [];
    const pipeline = isAborted ? trigger.earlier : trigger.pipeline;
    if (thing) this.put(`gates/${gate}`, { ...thing, asks, pipeline });
  }
}
