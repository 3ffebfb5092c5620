import { listOfKind, type Project } from '../spec.ts';
import { segmentName } from './conditions.ts';
import {
  delegates,
  gateDependencies,
  type SpecLists,
  storeGates,
  storeSources,
} from './references.ts';

type ListName = keyof SpecLists;
type Named = readonly [list: ListName, name: string];

const namesInList = (list: ListName, names: readonly string[]): Named[] =>
  names.map((name) => [list, name]);

function dependenciesOf(project: Project, [list, name]: Named): Named[] {
  if (list === 'paramStores') {
    const store = project.paramStores.get(name);
    if (!store) return [];
    const { configs, layers } = storeSources(store);
    return [
      ...namesInList('gates', storeGates(store)),
      ...namesInList('configs', configs),
      ...namesInList('layers', layers),
    ];
  }
  const spec = project[list].get(name);
  if (!spec) return [];
  const layer = list === 'configs' ? project.layerOfExperiment.get(name) : undefined;
  return [
    ...namesInList('gates', gateDependencies(spec)),
    ...namesInList('configs', delegates(spec)),
    ...namesInList('layers', layer === undefined ? [] : [layer]),
  ];
}

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
    next.push(...dependenciesOf(project, found));
  }
  return reached;
}

const filterByName = <V>(list: ReadonlyMap<string, V>, keep: (name: string) => boolean) =>
  new Map([...list].filter(([name]) => keep(name)));

/** Returns the project for a target app: flags for the app or for all apps, with their dependencies. */
export function narrowToApp(project: Project, targetAppID: string): Project {
  const flags = project.flags.filter(
    ({ targetApps }) => targetApps.length === 0 || targetApps.includes(targetAppID),
  );
  const start = flags.map(({ kind, id }): Named => [listOfKind[kind], id]);
  const { gates, configs, layers, paramStores } = reachable(project, start);
  return {
    ...project,
    gates: filterByName(project.gates, (name) => gates.has(name)),
    configs: filterByName(project.configs, (name) => configs.has(name)),
    layers: filterByName(project.layers, (name) => layers.has(name)),
    paramStores: filterByName(project.paramStores, (name) => paramStores.has(name)),
    idLists: filterByName(project.idLists, (id) => gates.has(segmentName(id))),
    layerOfExperiment: filterByName(project.layerOfExperiment, (id) => configs.has(id)),
    flags,
    targetAppID,
  };
}
