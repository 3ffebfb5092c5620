import { strongGroups } from '../../shared/strong_groups.ts';
import type { Project, Spec } from '../spec.ts';
import { gatesAsked } from './references.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** How many gates one may ask through, one after the other: SDKs ask by recursion, and each gate exposes all below it. */
const deepest = 500;

/** The gates on circles: those that ask themselves, directly or through others. */
function onCircles(graph: Graph): string[] {
  const names = [...graph.keys()];
  const places = new Map(names.map((name, place) => [name, place]));
  const asked = names.map((name) =>
    (graph.get(name) ?? []).flatMap((target) => places.get(target) ?? []),
  );
  return strongGroups(asked)
    .filter(([first = -1, ...others]) => others.length > 0 || asked[first]?.includes(first))
    .flatMap((group) => group.flatMap((place) => names[place] ?? []));
}

/** How long the longest way from each gate is, through a graph without circles. */
function depthsOf(graph: Graph): ReadonlyMap<string, number> {
  const left = new Map(
    [...graph].map(([name, targets]) => [
      name,
      new Set(targets.filter((target) => graph.has(target))),
    ]),
  );
  const askers = new Map<string, string[]>([...left.keys()].map((name) => [name, []]));
  for (const [name, targets] of left) for (const target of targets) askers.get(target)?.push(name);
  const ends = [...left].filter(([, targets]) => targets.size === 0).map(([name]) => name);
  const depths = new Map(ends.map((name) => [name, 1]));
  for (let name = ends.pop(); name !== undefined; name = ends.pop()) {
    const depth = (depths.get(name) ?? 0) + 1;
    for (const asker of askers.get(name) ?? []) {
      depths.set(asker, Math.max(depths.get(asker) ?? 0, depth));
      const targets = left.get(asker);
      if (targets?.delete(name) && targets.size === 0) ends.push(asker);
    }
  }
  return depths;
}

/** The gates that cannot be evaluated: one of these overflows the stack of SDKs, which makes their whole answer empty. */
export function endless(gates: ReadonlyMap<string, Spec>): Pick<Project, 'circles' | 'tooDeep'> {
  const asking = [...gates].filter(([, spec]) => gatesAsked(spec).length > 0);
  const graph = new Map(asking.map(([name, spec]) => [name, gatesAsked(spec)]));
  const circles = onCircles(graph);
  for (const name of circles) graph.delete(name);
  const tooDeep = [...depthsOf(graph)].filter(([, depth]) => depth > deepest);
  return { circles, tooDeep: tooDeep.map(([name]) => name) };
}
