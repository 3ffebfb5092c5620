import type { Project, Spec } from '../spec.ts';
import { strongGroups } from '../strong_groups.ts';
import { gateDependencies } from './references.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** Gates in a chain of dependencies. SDKs evaluate recursively, and each gate exposes all gates below it. */
const maxDepth = 500;

function inCycles(graph: Graph): string[] {
  const names = [...graph.keys()];
  const places = new Map(names.map((name, place) => [name, place]));
  const dependencies = names.map((name) =>
    (graph.get(name) ?? []).flatMap((target) => places.get(target) ?? []),
  );
  return strongGroups(dependencies)
    .filter(([first = -1, ...others]) => others.length > 0 || dependencies[first]?.includes(first))
    .flatMap((group) => group.flatMap((place) => names[place] ?? []));
}

function depthsOf(graph: Graph): ReadonlyMap<string, number> {
  const left = new Map(
    [...graph].map(([name, targets]) => [
      name,
      new Set(targets.filter((target) => graph.has(target))),
    ]),
  );
  const dependents = new Map<string, string[]>([...left.keys()].map((name) => [name, []]));
  for (const [name, targets] of left)
    for (const target of targets) dependents.get(target)?.push(name);
  const ends = [...left].filter(([, targets]) => targets.size === 0).map(([name]) => name);
  const depths = new Map(ends.map((name) => [name, 1]));
  for (let name = ends.pop(); name !== undefined; name = ends.pop()) {
    const depth = (depths.get(name) ?? 0) + 1;
    for (const dependent of dependents.get(name) ?? []) {
      depths.set(dependent, Math.max(depths.get(dependent) ?? 0, depth));
      const targets = left.get(dependent);
      if (targets?.delete(name) && targets.size === 0) ends.push(dependent);
    }
  }
  return depths;
}

/** Returns gates that would overflow the stack of SDKs, which makes their whole response empty. */
export function unevaluableGates(
  gates: ReadonlyMap<string, Spec>,
): Pick<Project, 'cycles' | 'tooDeep'> {
  const dependents = [...gates].filter(([, spec]) => gateDependencies(spec).length > 0);
  const graph = new Map(dependents.map(([name, spec]) => [name, gateDependencies(spec)]));
  const cycles = inCycles(graph);
  for (const name of cycles) graph.delete(name);
  const tooDeep = [...depthsOf(graph)].filter(([, depth]) => depth > maxDepth);
  return { cycles, tooDeep: tooDeep.map(([name]) => name) };
}
