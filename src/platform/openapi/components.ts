export type Json = Record<string, unknown>;

type ComponentSection = 'schemas' | 'parameters' | 'headers' | 'responses';

export type Keep = (section: ComponentSection, name: string, piece: Json) => Json;

export const reference = (section: ComponentSection, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
});

/** Collects the pieces that operations share. Throws if two different pieces have one name. */
export function componentCollector() {
  const sections = new Map<ComponentSection, Map<string, Json>>();
  const keep: Keep = (section, name, piece) => {
    const pieces = sections.get(section) ?? new Map<string, Json>();
    const [earlier, text] = [JSON.stringify(pieces.get(name)), JSON.stringify(piece)];
    if (earlier !== undefined && earlier !== text)
      throw new Error(`two ${section} have the name ${name}:\n${earlier}\n${text}`);
    sections.set(section, pieces.set(name, piece));
    return reference(section, name);
  };
  const kept = (section: ComponentSection) =>
    new Map([...(sections.get(section) ?? [])].sort(compareNames));
  return { keep, kept };
}

/** Compares without a locale, so that the document is the same on every machine. */
const compareNames = ([a]: [string, Json], [b]: [string, Json]) => (a < b ? -1 : 1);
