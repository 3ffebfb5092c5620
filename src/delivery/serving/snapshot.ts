import { isObject } from '../../base/value_types.ts';
import { compileSpec, type ProjectScope } from '../../engine/evaluation/compile.ts';
import { hashings } from '../../engine/evaluation/initialize.ts';
import type { Project } from '../../engine/evaluation/spec.ts';
import type { Autotune } from '../../experiments/autotunes/schema.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import type { Key } from '../../organization/keys/schema.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import { newestRevision } from '../../platform/store/history/queries.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { type KnownRevision, type SnapshotSource, sources } from './sources.ts';

function byHash(names: readonly string[], hash: 'djb2' | 'sha256') {
  let known: ReadonlyMap<string, string> | undefined;
  return (text: string): string | undefined => {
    known ??= new Map(names.map((name) => [hashings[hash](name), name]));
    return known.get(text);
  };
}

/** Resolves a name or its hash; returns other texts unchanged. See docs/contract/evaluation.md#74-initialize. */
function plainNames(names: readonly string[]): (text: string) => string {
  const known = new Set(names);
  const [byDjb2, bySha256] = [byHash(names, 'djb2'), byHash(names, 'sha256')];
  return (text) => {
    if (known.has(text)) return text;
    const found = /^\d{1,10}$/.test(text) ? byDjb2(text) : text.length === 44 && bySha256(text);
    return found || text;
  };
}

class Collection<E extends Entity> {
  readonly #entities = new Map<string, E>();

  constructor(
    readonly source: SnapshotSource<E>,
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

/** Epoch milliseconds before any change. `seq` is added, because SDKs ignore an older spec. */
const baseTime = 1_700_000_000_000;

/** Compiled projects kept per isolate: one for each combination of environments and target app. */
const maxProjects = 20;

type Rows = ReadonlyMap<string, readonly object[]>;

/** The revision of a removal contains the last state, whose version differs from the revision's. */
const isRemovedRevision = (snapshot: object, { version }: KnownRevision) =>
  !isObject(snapshot) || snapshot.version !== version;

function logDisabled(message: string, gates: readonly string[]): void {
  if (gates.length > 0) console.error(JSON.stringify({ message, gates }));
}

function unitTypesByName({ unitIDTypes, ...others }: Snapshot['collections']) {
  const { gates, dynamicConfigs, experiments, layers, holdouts, segments, autotunes } = others;
  const evaluated = [gates, dynamicConfigs, experiments, layers, holdouts, segments, autotunes];
  const names = [
    ...evaluated.flatMap(({ entities }) => entities.map(({ idType }) => idType)),
    ...unitIDTypes.entities.map(({ id }) => id),
    'userID',
  ];
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/** The project in the memory of an isolate: all entities that responses to applications depend on. */
export class Snapshot {
  readonly collections;
  readonly #projects = new Map<string, Project>();
  #keys: ReadonlyMap<string, Key> | undefined;
  #plainNames: ((text: string) => string) | undefined;
  #unitTypes: ReadonlyMap<string, string> | undefined;

  specSeq: number;

  constructor(
    rows: Rows,
    public seq: number,
  ) {
    this.specSeq = seq;
    const collectionOf = <E extends Entity>(source: SnapshotSource<E>) =>
      new Collection(source, rows.get(source.kind) ?? []);
    this.collections = {
      gates: collectionOf(sources.gates),
      dynamicConfigs: collectionOf(sources.dynamicConfigs),
      experiments: collectionOf(sources.experiments),
      layers: collectionOf(sources.layers),
      holdouts: collectionOf(sources.holdouts),
      segments: collectionOf(sources.segments),
      autotunes: collectionOf(sources.autotunes),
      paramStores: collectionOf(sources.paramStores),
      unitIDTypes: collectionOf(sources.unitIDTypes),
      keys: collectionOf(sources.keys),
    };
  }

  /** `time` of the spec for SDKs, in milliseconds; grows with every change. */
  get time(): number {
    return baseTime + this.specSeq;
  }

  get keys(): ReadonlyMap<string, Key> {
    const ofApps = () => this.collections.keys.entities.filter(({ type }) => type !== 'CONSOLE');
    this.#keys ??= new Map(ofApps().map((key) => [key.hash, key]));
    return this.#keys;
  }

  /** Resolves a name or the hash of a name, for a holdout also the name of its gate. */
  nameOf(text: string): string {
    const { keys: _keys, unitIDTypes: _types, holdouts, ...named } = this.collections;
    this.#plainNames ??= plainNames([
      ...Object.values(named).flatMap(({ entities }) => entities.map(({ id }) => id)),
      ...holdouts.entities.flatMap(({ id }) => [id, `holdout:${id}`]),
    ]);
    return this.#plainNames(text);
  }

  /** Returns the project's spelling of an ID type given in any case; undefined for an unknown type. */
  unitType(name: string): string | undefined {
    this.#unitTypes ??= unitTypesByName(this.collections);
    return this.#unitTypes.get(name.toLowerCase());
  }

  apply(changes: readonly KnownRevision[]): void {
    const byKind = new Map(
      Object.values(this.collections).map((collection) => [collection.source.kind, collection]),
    );
    for (const change of changes.filter(({ seq }) => seq > this.seq)) {
      this.seq = change.seq;
      const collection = byKind.get(change.kind);
      if (!collection || change.snapshot === null) continue;
      const state: object = JSON.parse(change.snapshot);
      if (isRemovedRevision(state, change)) collection.remove(change.id);
      else collection.put(state);
      this.specSeq = change.seq;
      this.#projects.clear();
      this.#keys = undefined;
      this.#plainNames = undefined;
      this.#unitTypes = undefined;
    }
  }

  project(scope: ProjectScope): Project {
    const name = JSON.stringify([scope.environments, scope.targetAppID]);
    const project = this.#projects.get(name) ?? this.#compile(scope);
    this.#projects.delete(name); // the most recently used is last
    this.#projects.set(name, project);
    const [oldest] = this.#projects.keys();
    if (this.#projects.size > maxProjects && oldest !== undefined) this.#projects.delete(oldest);
    return project;
  }

  /** Compiles the project as if experiments and autotunes in setup with this ID had started. The result is not kept. */
  projectAsStarted(scope: ProjectScope, id: string): Project {
    return this.#compile(scope, id);
  }

  #compile(scope: ProjectScope, startedID?: string): Project {
    const { collections } = this;
    const started = <E extends Experiment | Autotune>(entity: E): E =>
      entity.id === startedID && entity.status === 'setup'
        ? { ...entity, status: 'active' }
        : entity;
    const project = compileSpec(
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
    logDisabled('gates in a dependency cycle', project.cycles);
    logDisabled('gates with too many dependencies in a chain', project.tooDeep);
    return project;
  }
}

/** Loads the whole project in one round trip, from one state of the database. */
export async function loadSnapshot(db: Database): Promise<Snapshot> {
  const all = Object.values(sources);
  const statements = all.map((source) => source.all());
  const [[newest], ...found] = await db.read(newestRevision(), ...statements);
  const rows = new Map(all.map(({ kind }, index) => [kind, found[index] ?? []]));
  return new Snapshot(rows, newest?.seq ?? 0);
}
