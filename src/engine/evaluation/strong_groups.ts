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

/** Sorts indexes so that each comes after its `needs`; cycles form one group (Kosaraju's algorithm, linear time). */
export function strongGroups(needs: readonly (readonly number[])[]): number[][] {
  const neededBy: number[][] = needs.map(() => []);
  needs.forEach((all, thing) => {
    for (const needed of all) neededBy[needed]?.push(thing);
  });
  const [seen, grouped] = [new Set<number>(), new Set<number>()];
  // From last to first, so that independent things keep their order.
  const finished = needs.flatMap((_, index) => walk(needs.length - 1 - index, neededBy, seen));
  return finished
    .toReversed()
    .map((thing) => walk(thing, needs, grouped))
    .filter(({ length }) => length > 0);
}
