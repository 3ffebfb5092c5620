/**
 * What is made of an object, made once and as long lived as that: when it is first asked for.
 * @param make what takes its time
 */
export function madeOnce<Of extends WeakKey, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { made: Made }>();
  return (of) => {
    const before = known.get(of);
    if (before) return before.made;
    const made = make(of);
    known.set(of, { made });
    return made;
  };
}

/**
 * What is made of a text, made once for as long as it is remembered.
 * @param most how many are: before one more, all are forgotten
 * @param make what takes its time
 */
export function remembering<Made>(
  most: number,
  make: (text: string) => Made,
): (text: string) => Made {
  const known = new Map<string, Made>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
