import { compile, type KeyScope } from '../evaluation/compile.ts';
import type { Project } from '../evaluation/spec.ts';
import type { Autotune } from '../resources/autotunes/schema.ts';
import type { Experiment } from '../resources/experiments/schema.ts';
import type { Key } from '../resources/keys/schema.ts';
import type { Entity } from '../store/core/entity.ts';
import { newestRevision } from '../store/history/queries.ts';
import type { Database } from '../store/sql/database.ts';
import { plainNames } from './plain_names.ts';
import { type Revision, type Source, sources } from './sources.ts';

/** The entities of one kind. */
class Collection<E extends Entity> {
  readonly #entities = new Map<string, E>();

  constructor(
    readonly source: Source<E>,
    rows: readonly object[],
  ) {
    for (const row of rows) this.put(row);
  }

  get entities(): E[] {
    return [...this.#entities.values()];
  }

  put(row: object): void {
    const entity = this.source.of(row);
    this.#entities.set(entity.id, entity);
  }

  get(id: string): E | undefined {
    return this.#entities.get(id);
  }

  remove(id: string): void {
    this.#entities.delete(id);
  }
}

/** The `time` of a spec before any change; the number of its newest change is added, as SDKs take no older spec. */
const firstTime = 1_700_000_000_000;

/** How many parts of a project are kept compiled: keys have few combinations of environments and apps. */
const mostProjects = 20;

/** The rows of each kind, by its name. */
type Rows = ReadonlyMap<string, readonly object[]>;

/** A change that took its entity away has the state before it. */
const isRemoval = (snapshot: object, { version }: Revision) => Object(snapshot).version !== version;

/** Says in the log which gates are served disabled, and why. */
function warn(message: string, gates: readonly string[]): void {
  if (gates.length > 0) console.error(JSON.stringify({ message, gates }));
}

/** All unit types of a project, by their names in lower case. */
function foldedTypes({ unitIDTypes, ...others }: Snapshot['collections']) {
  const { gates, dynamicConfigs, experiments, layers, holdouts, segments, autotunes } = others;
  const evaluated = [gates, dynamicConfigs, experiments, layers, holdouts, segments, autotunes];
  const names = [
    ...evaluated.flatMap(({ entities }) => entities.map(({ idType }) => idType)),
    ...unitIDTypes.entities.map(({ id }) => id),
    'userID',
  ];
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** The project as an isolate knows it, with all that answers depend on. */
export class Snapshot {
  readonly collections;
  readonly #projects = new Map<string, Project>();
  #keys: ReadonlyMap<string, Key> | undefined;
  #plainNames: ((text: string) => string) | undefined;
  #unitTypes: ReadonlyMap<string, string> | undefined;

  /** The newest change that answers depend on. */
  specSeq: number;

  /** @param seq the newest change that is in it, of whatever kind */
  constructor(
    rows: Rows,
    public seq: number,
  ) {
    this.specSeq = seq;
    const collected = <E extends Entity>(source: Source<E>) =>
      new Collection(source, rows.get(source.kind) ?? []);
    this.collections = {
      gates: collected(sources.gates),
      dynamicConfigs: collected(sources.dynamicConfigs),
      experiments: collected(sources.experiments),
      layers: collected(sources.layers),
      holdouts: collected(sources.holdouts),
      segments: collected(sources.segments),
      autotunes: collected(sources.autotunes),
      paramStores: collected(sources.paramStores),
      unitIDTypes: collected(sources.unitIDTypes),
      keys: collected(sources.keys),
    };
  }

  /** The time that SDKs know the spec by, in milliseconds: it grows with every change. */
  get time(): number {
    return firstTime + this.specSeq;
  }

  /** The keys of applications, by their hashes. */
  get keys(): ReadonlyMap<string, Key> {
    const ofApps = () => this.collections.keys.entities.filter(({ type }) => type !== 'CONSOLE');
    this.#keys ??= new Map(ofApps().map((key) => [key.hash, key]));
    return this.#keys;
  }

  /** The name that an SDK means which sends a name or the hash of one; of a holdout, that of its gate. */
  nameOf(text: string): string {
    const { keys: _keys, unitIDTypes: _types, holdouts, ...named } = this.collections;
    this.#plainNames ??= plainNames([
      ...Object.values(named).flatMap(({ entities }) => entities.map(({ id }) => id)),
      ...holdouts.entities.flatMap(({ id }) => [id, `holdout:${id}`]),
    ]);
    return this.#plainNames(text);
  }

  /**
   * Returns a unit type as the project spells it, for a name in any case; undefined if the project does not know it. It
   * knows `userID`, the registered ones, and those that an entity is evaluated by.
   */
  unitType(name: string): string | undefined {
    this.#unitTypes ??= foldedTypes(this.collections);
    return this.#unitTypes.get(name.toLowerCase());
  }

  /** Takes in changes, of which each that is in it already is passed over. */
  apply(changes: readonly Revision[]): void {
    const byKind = new Map(
      Object.values(this.collections).map((collection) => [collection.source.kind, collection]),
    );
    for (const change of changes.filter(({ seq }) => seq > this.seq)) {
      this.seq = change.seq;
      const collection = byKind.get(change.kind);
      if (!collection || change.snapshot === null) continue;
      const state: object = JSON.parse(change.snapshot);
      if (isRemoval(state, change)) collection.remove(change.id);
      else collection.put(state);
      this.specSeq = change.seq;
      this.#projects.clear();
      this.#keys = undefined;
      this.#plainNames = undefined;
      this.#unitTypes = undefined;
    }
  }

  /** What a key evaluates, compiled when it is first asked for. */
  project(scope: KeyScope): Project {
    const name = JSON.stringify([scope.environments, scope.targetAppID]);
    const project = this.#projects.get(name) ?? this.#compiled(scope);
    this.#projects.delete(name); // the one that was asked for last comes last
    this.#projects.set(name, project);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > mostProjects && oldest !== undefined) this.#projects.delete(oldest);
    return project;
  }

  /** Compiles the project as if the experiments and autotunes of an id in setup had started, without keeping it. */
  projectAsStarted(scope: KeyScope, id: string): Project {
    return this.#compiled(scope, id);
  }

  /** The same, made anew; what is wrong with it is logged. */
  #compiled(scope: KeyScope, startedID?: string): Project {
    const { collections } = this;
    const started = <E extends Experiment | Autotune>(entity: E): E =>
      entity.id === startedID && entity.status === 'setup'
        ? { ...entity, status: 'active' }
        : entity;
    const project = compile(
      {
        gates: collections.gates.entities,
        dynamicConfigs: collections.dynamicConfigs.entities,
        experiments: collections.experiments.entities.map(started),
        layers: collections.layers.entities,
        holdouts: collections.holdouts.entities,
        segments: collections.segments.entities,
        autotunes: collections.autotunes.entities.map(started),
        paramStores: collections.paramStores.entities,
      },
      scope,
    );
    warn('gates on a circle', project.circles);
    warn('gates that ask too many, one after the other', project.tooDeep);
    return project;
  }
}

/** Reads the whole project, in one round trip and one state. */
export async function loadSnapshot(db: Database): Promise<Snapshot> {
  const all = Object.values(sources);
  const statements = all.map((source) => source.all());
  const [[newest], ...found] = await db.read(newestRevision(), ...statements);
  const rows = new Map(all.map(({ kind }, index) => [kind, found[index] ?? []]));
  return new Snapshot(rows, newest?.seq ?? 0);
}
