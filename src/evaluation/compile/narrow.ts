import { listOfKind, type Project } from '../spec.ts';
import { segmentName } from './conditions.ts';
import { delegates, gatesAsked, type Lists, storeGates, storeSources } from './references.ts';

type ListName = keyof Lists;
type Named = readonly [list: ListName, name: string];

const named = (list: ListName, names: readonly string[]): Named[] =>
  names.map((name) => [list, name]);

/** What an entity of a project refers to. */
function referredTo(project: Project, [list, name]: Named): Named[] {
  if (list === 'paramStores') {
    const store = project.paramStores.get(name);
    if (!store) return [];
    const { configs, layers } = storeSources(store);
    return [
      ...named('gates', storeGates(store)),
      ...named('configs', configs),
      ...named('layers', layers),
    ];
  }
  const spec = project[list].get(name);
  if (!spec) return [];
  const layer = list === 'configs' ? project.layerOfExperiment.get(name) : undefined;
  return [
    ...named('gates', gatesAsked(spec)),
    ...named('configs', delegates(spec)),
    ...named('layers', layer === undefined ? [] : [layer]),
  ];
}

/** All that some entities refer to, directly or not, and they themselves. */
function reachable(project: Project, from: readonly Named[]): Record<ListName, Set<string>> {
  const reached = {
    gates: new Set<string>(),
    configs: new Set<string>(),
    layers: new Set<string>(),
    paramStores: new Set<string>(),
  };
  const next = [...from];
  for (let found = next.pop(); found; found = next.pop()) {
    const [list, name] = found;
    if (reached[list].has(name)) continue;
    reached[list].add(name);
    next.push(...referredTo(project, found));
  }
  return reached;
}

const only = <V>(list: ReadonlyMap<string, V>, keep: (name: string) => boolean) =>
  new Map([...list].filter(([name]) => keep(name)));

/** A project as a target app sees it: what is meant for the app or for all, and whatever that refers to. */
export function narrowed(project: Project, targetAppID: string): Project {
  const flags = project.flags.filter(
    ({ targetApps }) => targetApps.length === 0 || targetApps.includes(targetAppID),
  );
  const start = flags.map(({ kind, id }): Named => [listOfKind[kind], id]);
  const { gates, configs, layers, paramStores } = reachable(project, start);
  return {
    ...project,
    gates: only(project.gates, (name) => gates.has(name)),
    configs: only(project.configs, (name) => configs.has(name)),
    layers: only(project.layers, (name) => layers.has(name)),
    paramStores: only(project.paramStores, (name) => paramStores.has(name)),
    idLists: only(project.idLists, (id) => gates.has(segmentName(id))),
    layerOfExperiment: only(project.layerOfExperiment, (id) => configs.has(id)),
    flags,
    targetAppID,
  };
}
