import type { Spec } from '../spec.ts';
import { gatesAsked } from './references.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** A graph without what leads to nothing in it, again and again: circles are left, and paths between them. */
function withoutEnds(graph: Graph): Graph {
  const kept = new Map(
    [...graph].map(([name, targets]) => [
      name,
      new Set(targets.filter((target) => graph.has(target))),
    ]),
  );
  const askers = new Map<string, string[]>([...kept.keys()].map((name) => [name, []]));
  for (const [name, targets] of kept) for (const target of targets) askers.get(target)?.push(name);
  const ends = [...kept].filter(([, targets]) => targets.size === 0).map(([name]) => name);
  for (let name = ends.pop(); name !== undefined; name = ends.pop()) {
    kept.delete(name);
    for (const asker of askers.get(name) ?? []) {
      const targets = kept.get(asker);
      if (targets?.delete(name) && targets.size === 0) ends.push(asker);
    }
  }
  return new Map([...kept].map(([name, targets]) => [name, [...targets]]));
}

/** Whether a way leads from a gate back to itself. */
function reachesItself(graph: Graph, start: string): boolean {
  const seen = new Set<string>();
  const next = [...(graph.get(start) ?? [])];
  for (let name = next.pop(); name !== undefined; name = next.pop()) {
    if (name === start) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    next.push(...(graph.get(name) ?? []));
  }
  return false;
}

/** The gates on a circle: one of these makes the SDKs' whole answer empty, as they go round until the stack ends. */
export function circles(gates: ReadonlyMap<string, Spec>): string[] {
  const asking = [...gates].filter(([, spec]) => gatesAsked(spec).length > 0);
  const graph = withoutEnds(new Map(asking.map(([name, spec]) => [name, gatesAsked(spec)])));
  return [...graph.keys()].filter((name) => reachesItself(graph, name));
}
