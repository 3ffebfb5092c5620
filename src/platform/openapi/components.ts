export type Json = Record<string, unknown>;

type Section = 'schemas' | 'parameters' | 'headers' | 'responses';

export type Keep = (section: Section, name: string, piece: Json) => Json;

export const reference = (section: Section, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
});

/** Collects the pieces that operations share. Throws if two different pieces have one name. */
export function componentCollector() {
  const sections = new Map<Section, Map<string, Json>>();
  const keep: Keep = (section, name, piece) => {
    const pieces = sections.get(section) ?? new Map<string, Json>();
    const [earlier, text] = [JSON.stringify(pieces.get(name)), JSON.stringify(piece)];
    if (earlier !== undefined && earlier !== text)
      throw new Error(`two ${section} have the name ${name}:\n${earlier}\n${text}`);
    sections.set(section, pieces.set(name, piece));
    return reference(section, name);
  };
  const kept = (section: Section) => new Map([...(sections.get(section) ?? [])].sort(byName));
  return { keep, kept };
}

/** Compares without a locale, so that the document is the same on every machine. */
const byName = ([a]: [string, Json], [b]: [string, Json]) => (a < b ? -1 : 1);
