import { memberOf, typeOfValue } from '../../base/value_types.ts';

const typesOf = (all: readonly object[], name: string): Set<string> =>
  new Set(
    all
      .map((values) => typeOfValue(memberOf(values, name)))
      .filter((type) => type !== 'undefined' && type !== 'null'),
  );

/** Returns a doubt for each parameter whose values have several types, such as a mistyped number. */
export function mixedTypes(all: readonly unknown[], words = 'has values of the types'): string[] {
  const objects = all.filter((values) => typeof values === 'object' && values !== null);
  const names = new Set(objects.flatMap((values) => Object.keys(values)));
  return [...names].flatMap((name) => {
    const types = [...typesOf(objects, name)];
    return types.length > 1 ? [`${name} ${words} ${types.join(' and ')}.`] : [];
  });
}
