import type { Entities } from '../entities.ts';
import { type Flag, type FlagKind, flagKinds } from '../spec.ts';

type Listed = Omit<Flag, 'kind'>;

const ofKind = (kind: FlagKind, entities: readonly Listed[]): Flag[] =>
  entities.map(({ id, createdTime, targetApps }) => ({ kind, id, createdTime, targetApps }));

/**
 * What applications can ask for, the oldest first: where several have one id, the first is meant, because adding one
 * must never change what a running app asks for. Those of one moment have one order too, whichever way an isolate came to
 * know them. Holdouts and segments are only ever part of something else.
 */
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
