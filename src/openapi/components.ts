/** A piece of the document. */
export type Json = Record<string, unknown>;

type Section = 'schemas' | 'parameters' | 'headers' | 'responses';

/** Keeps a piece under its name, once, and answers the reference to it. */
export type Keep = (section: Section, name: string, piece: Json) => Json;

/** A reference to a piece that is kept elsewhere. */
export const reference = (section: Section, name: string): Json => ({
  $ref: `#/components/${section}/${name}`,
});

/** Collects the pieces that operations share, so that each stands in the document once. */
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
  /** The pieces of a section, by name. */
  const kept = (section: Section) => new Map([...(sections.get(section) ?? [])].sort(byName));
  return { keep, kept };
}

/** An order that depends on no locale. */
const byName = ([a]: [string, Json], [b]: [string, Json]) => (a < b ? -1 : 1);
