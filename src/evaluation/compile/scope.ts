import type { Entities } from '../entities.ts';

/** For which key is compiled, and what a spec needs to know of the rest of the project. */
export interface Scope {
  /** The environments of the key; null for all. */
  readonly environments: readonly string[] | null;
  /** The name by which rules know a holdout. */
  holdoutName(id: string): string;
  /** Entities that were compiled under the same key need not be compiled again: the result depends on nothing else. */
  readonly key: string;
  /** The same of what says nothing of environments, whatever those of the key are. */
  readonly commonKey: string;
}

/**
 * The scope of a project for a key. Gates and holdouts share one list of names: where one of each has the same id, the
 * gate keeps it.
 */
export function scopeOf(
  { gates, holdouts }: Pick<Entities, 'gates' | 'holdouts'>,
  environments: readonly string[] | null,
): Scope {
  const gateIDs = new Set(gates.map(({ id }) => id));
  const shared = new Set(holdouts.map(({ id }) => id).filter((id) => gateIDs.has(id)));
  return {
    environments,
    holdoutName: (id) => (shared.has(id) ? `holdout:${id}` : id),
    key: JSON.stringify([environments, [...shared].sort()]),
    commonKey: JSON.stringify([[...shared].sort()]),
  };
}

/** Whether the key has one of these environments, in any case; null is all of them. */
export function reaches(scope: Scope, wanted: readonly string[] | null): boolean {
  if (wanted === null) return true;
  const { environments: own } = scope;
  if (own === null) return true;
  const folded = own.map((environment) => environment.toLowerCase());
  return wanted.some((environment) => folded.includes(environment.toLowerCase()));
}

/** Compiles an entity, and tells under which key others may have the result: most say nothing of environments. */
function compileIn<E, R>(make: (entity: E, scope: Scope) => R, entity: E, scope: Scope) {
  let isLimited = false;
  const watched: Scope = {
    ...scope,
    get environments() {
      isLimited = true;
      return scope.environments;
    },
  };
  const result = make(entity, watched);
  return { result, key: isLimited ? scope.key : scope.commonKey };
}

/**
 * Compiles an entity once for each scope in which it is another, as long as the entity lives; a changed entity is another
 * object. Otherwise keys of many environments would take the memory of as many projects.
 */
export function oncePerEntity<E extends object, R>(
  make: (entity: E, scope: Scope) => R,
): (entity: E, scope: Scope) => R {
  const made = new WeakMap<E, Map<string, R>>();
  return (entity, scope) => {
    const before = made.get(entity) ?? new Map<string, R>();
    const found = before.get(scope.commonKey) ?? before.get(scope.key);
    if (found !== undefined) return found;
    const { result, key } = compileIn(make, entity, scope);
    made.set(entity, before.set(key, result));
    return result;
  };
}
