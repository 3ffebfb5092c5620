import { hashings } from '../../engine/evaluation/initialize.ts';

function byHash(names: readonly string[], hash: 'djb2' | 'sha256') {
  let known: ReadonlyMap<string, string> | undefined;
  return (text: string): string | undefined => {
    known ??= new Map(names.map((name) => [hashings[hash](name), name]));
    return known.get(text);
  };
}

/** Resolves a name or its hash; returns other texts unchanged. See docs/contract/evaluation.md#74-initialize. */
export function plainNames(names: readonly string[]): (text: string) => string {
  const known = new Set(names);
  const [byDjb2, bySha256] = [byHash(names, 'djb2'), byHash(names, 'sha256')];
  return (text) => {
    if (known.has(text)) return text;
    const found = /^\d{1,10}$/.test(text) ? byDjb2(text) : text.length === 44 && bySha256(text);
    return found || text;
  };
}
