import type { Project, Spec } from '../spec.ts';
import { gatesAsked } from './references.ts';

type Graph = ReadonlyMap<string, readonly string[]>;

/** How many gates one may ask through, one after the other: SDKs ask by recursion, and each gate exposes all below it. */
const deepest = 500;

/** A graph without its ends. */
interface Peeled {
  /** Circles, and paths to and between them. */
  readonly left: Graph;
  /** Of each that was an end at some time, how long the longest way from it is. */
  readonly depths: ReadonlyMap<string, number>;
}

/** Takes from a graph what leads to nothing in it, again and again. */
function peel(graph: Graph): Peeled {
  const kept = new Map(
    [...graph].map(([name, targets]) => [
      name,
      new Set(targets.filter((target) => graph.has(target))),
    ]),
  );
  const askers = new Map<string, string[]>([...kept.keys()].map((name) => [name, []]));
  for (const [name, targets] of kept) for (const target of targets) askers.get(target)?.push(name);
  const ends = [...kept].filter(([, targets]) => targets.size === 0).map(([name]) => name);
  const depths = new Map(ends.map((name) => [name, 1]));
  for (let name = ends.pop(); name !== undefined; name = ends.pop()) {
    kept.delete(name);
    const depth = (depths.get(name) ?? 0) + 1;
    for (const asker of askers.get(name) ?? []) {
      depths.set(asker, Math.max(depths.get(asker) ?? 0, depth));
      const targets = kept.get(asker);
      if (targets?.delete(name) && targets.size === 0) ends.push(asker);
    }
  }
  return { left: new Map([...kept].map(([name, targets]) => [name, [...targets]])), depths };
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

/** The gates that cannot be evaluated: one of these makes the SDKs' whole answer empty, as their stack ends. */
export function endless(gates: ReadonlyMap<string, Spec>): Pick<Project, 'circles' | 'tooDeep'> {
  const asking = [...gates].filter(([, spec]) => gatesAsked(spec).length > 0);
  const graph = new Map(asking.map(([name, spec]) => [name, gatesAsked(spec)]));
  const { left, depths } = peel(graph);
  const circles = [...left.keys()].filter((name) => reachesItself(left, name));
  for (const name of circles) graph.delete(name);
  const all = circles.length > 0 ? peel(graph).depths : depths;
  const tooDeep = [...all].filter(([, depth]) => depth > deepest).map(([name]) => name);
  return { circles, tooDeep };
}
