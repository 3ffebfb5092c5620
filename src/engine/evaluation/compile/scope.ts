import type { Entities } from '../entities.ts';

export interface CompileScope {
  readonly environments: readonly string[] | null;
  holdoutName(id: string): string;
  /** Cache key of compiled entities that have rules for environments. */
  readonly key: string;
  /** Cache key of compiled entities that have none. */
  readonly commonKey: string;
}

/** Returns the scope of a key. Gates and holdouts share names: if both have the same ID, the gate keeps it. */
export function compileScope(
  { gates, holdouts }: Pick<Entities, 'gates' | 'holdouts'>,
  environments: readonly string[] | null,
): CompileScope {
  const gateIDs = new Set(gates.map(({ id }) => id));
  const shared = new Set(holdouts.map(({ id }) => id).filter((id) => gateIDs.has(id)));
  return {
    environments,
    holdoutName: (id) => (shared.has(id) ? `holdout:${id}` : id),
    key: JSON.stringify([environments, [...shared].sort()]),
    commonKey: JSON.stringify([[...shared].sort()]),
  };
}

/** Whether the key has one of the environments, ignoring case; null means all environments. */
export function reaches(scope: CompileScope, wanted: readonly string[] | null): boolean {
  if (wanted === null) return true;
  const { environments: own } = scope;
  if (own === null) return true;
  const folded = own.map((environment) => environment.toLowerCase());
  return wanted.some((environment) => folded.includes(environment.toLowerCase()));
}

function compileIn<E, R>(
  make: (entity: E, scope: CompileScope) => R,
  entity: E,
  scope: CompileScope,
) {
  let isLimited = false;
  const observedScope: CompileScope = {
    ...scope,
    get environments() {
      isLimited = true;
      return scope.environments;
    },
  };
  const result = make(entity, observedScope);
  return { result, key: isLimited ? scope.key : scope.commonKey };
}

/** Caches compiled entities by object. Most have no environments, so that keys with other environments share them. */
export function oncePerEntity<E extends object, R>(
  make: (entity: E, scope: CompileScope) => R,
): (entity: E, scope: CompileScope) => R {
  const cache = new WeakMap<E, Map<string, R>>();
  return (entity, scope) => {
    const cached = cache.get(entity) ?? new Map<string, R>();
    const found = cached.get(scope.commonKey) ?? cached.get(scope.key);
    if (found !== undefined) return found;
    const { result, key } = compileIn(make, entity, scope);
    cache.set(entity, cached.set(key, result));
    return result;
  };
}
