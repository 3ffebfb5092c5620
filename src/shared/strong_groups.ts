/** All that is reached from a thing and not seen before, each after what it leads to; without recursion. */
function walk(start: number, edges: readonly (readonly number[])[], seen: Set<number>): number[] {
  const finished: number[] = [];
  const path = seen.has(start) ? [] : [{ thing: start, next: 0 }];
  seen.add(start);
  for (let at = path.at(-1); at; at = path.at(-1)) {
    const next = edges[at.thing]?.[at.next++];
    if (next === undefined) {
      finished.push(at.thing);
      path.pop();
    } else if (!seen.has(next)) {
      seen.add(next);
      path.push({ thing: next, next: 0 });
    }
  }
  return finished;
}

/**
 * Sorts things so that what is needed comes before what needs it; things that need each other, directly or through
 * others, are in one group (strongly connected components, after Kosaraju). It takes a step for each thing and each need.
 * @param needs for each thing, the indexes of those it needs
 * @returns groups of indexes, in order
 */
export function strongGroups(needs: readonly (readonly number[])[]): number[][] {
  const neededBy: number[][] = needs.map(() => []);
  needs.forEach((all, thing) => {
    for (const needed of all) neededBy[needed]?.push(thing);
  });
  const [seen, grouped] = [new Set<number>(), new Set<number>()];
  // From the last to the first, so that what needs nothing stays in its order.
  const finished = needs.flatMap((_, index) => walk(needs.length - 1 - index, neededBy, seen));
  return finished
    .toReversed()
    .map((thing) => walk(thing, needs, grouped))
    .filter(({ length }) => length > 0);
}
