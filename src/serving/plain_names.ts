import { hashings } from '../evaluation/initialize.ts';

/** Looks a text up among names by their hashes, which are made when it is first asked. */
function byHash(names: readonly string[], hash: 'djb2' | 'sha256') {
  let known: ReadonlyMap<string, string> | undefined;
  return (text: string): string | undefined => {
    known ??= new Map(names.map((name) => [hashings[hash](name), name]));
    return known.get(text);
  };
}

/**
 * What client SDKs mean by a name: they send it as `initialize` answered it, which is hashed where they asked for that.
 * A text that is neither a name nor the hash of one stays as it is. See docs/contract/evaluation.md#74-initialize.
 */
export function plainNames(names: readonly string[]): (text: string) => string {
  const known = new Set(names);
  const [short, long] = [byHash(names, 'djb2'), byHash(names, 'sha256')];
  return (text) => {
    if (known.has(text)) return text;
    const found = /^\d{1,10}$/.test(text) ? short(text) : text.length === 44 && long(text);
    return found || text;
  };
}
