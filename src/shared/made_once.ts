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
