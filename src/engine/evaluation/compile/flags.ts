import type { Entities } from '../entities.ts';
import { type Flag, type FlagKind, flagKinds } from '../spec.ts';

type FlagEntity = Omit<Flag, 'kind'>;

const ofKind = (kind: FlagKind, entities: readonly FlagEntity[]): Flag[] =>
  entities.map(({ id, createdTime, targetApps }) => ({ kind, id, createdTime, targetApps }));

/** Returns the flags that applications can request, oldest first: adding a flag must not change an existing key. */
export function flagsOf(served: Entities): Flag[] {
  const stores = served.paramStores.map(({ targetAppIDs: targetApps, ...store }) => ({
    ...store,
    targetApps,
  }));
  const flags = [
    ...ofKind('gate', served.gates),
    ...ofKind('config', served.dynamicConfigs),
    ...ofKind('experiment', served.experiments),
    ...ofKind('autotune', served.autotunes),
    ...ofKind('layer', served.layers),
    ...ofKind('param_store', stores),
  ];
  const rank = (kind: FlagKind) => flagKinds.indexOf(kind);
  return flags.sort(
    (a, b) =>
      a.createdTime - b.createdTime || rank(a.kind) - rank(b.kind) || (a.id < b.id ? -1 : 1),
  );
}
