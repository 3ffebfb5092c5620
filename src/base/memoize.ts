/** Memoizes a function of objects; each result lives as long as its object. */
export function memoize<Of extends WeakKey, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const results = new WeakMap<Of, { made: Made }>();
  return (of) => {
    const cached = results.get(of);
    if (cached) return cached.made;
    const made = make(of);
    results.set(of, { made });
    return made;
  };
}

/** Memoizes a function of texts. @param maxTexts the cache size: a full cache is cleared */
export function memoizeText<Made>(
  maxTexts: number,
  make: (text: string) => Made,
): (text: string) => Made {
  const results = new Map<string, Made>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    if (results.size >= maxTexts) results.clear();
    const made = make(text);
    results.set(text, made);
    return made;
  };
}
