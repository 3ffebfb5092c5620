const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Region codes that are not countries, such as the European Union. */
const others = /^(E[UZ]|QO|UN|X[AB]|ZZ)$/;

let known: Record<string, string> | undefined;

function countriesByCode(): Record<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  // A withdrawn code, such as DD, resolves to its successor.
  const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code;
  const named = letters
    .flatMap((first) => letters.map((second) => first + second))
    .flatMap((code): [string, string][] => {
      const name = names.of(code);
      return name && isCurrent(code) && !others.test(code) ? [[code, name]] : [];
    });
  return Object.fromEntries(named.sort(([, a], [, b]) => a.localeCompare(b)));
}

/** Returns the two-letter country codes that the browser supports, with their English names. */
export function countries(): Record<string, string> {
  known ??= countriesByCode();
  return known;
}

/** Returns the code of a country by code or name, in any case; undefined if unknown. */
export function countryOf(words: string): string | undefined {
  const wanted = words.toLowerCase();
  return Object.entries(countries()).find((texts) =>
    texts.some((text) => text.toLowerCase() === wanted),
  )?.[0];
}
