/** How many of something a request may have: well above real use, and few enough that no request blocks the service. */
export const most = {
  tags: 100,
  metrics: 500,
  rules: 500,
  /** Conditions of one rule. */
  conditions: 500,
  /** Conditions of all rules of an entity: each may name another, which is looked for. */
  allConditions: 10_000,
  targets: 10_000,
  groups: 100,
  variants: 100,
  phases: 100,
  environments: 100,
  parameters: 1000,
  /** Members of one kind in a holdout. */
  members: 50_000,
  /** Ids of one list of overrides. */
  ids: 50_000,
  /** Overrides of one list. */
  overrides: 1000,
  /** Ids that are added to a segment, or removed from it, in one call. */
  segmentIDs: 100_000,
  /** Properties of a JSON object, such as the value of a dynamic config. */
  keys: 10_000,
  /** Levels of nesting in JSON: deeper exhausts the stack of whoever walks it. */
  depth: 64,
  /** The same in an import, where values stand in entities, and these in history. */
  arrivingDepth: 80,
  /** Values of one filter of a list. */
  filterValues: 100,
  changes: 50,
  /** Lines of an import in one JSON body, and entities of one line. */
  arrivals: 20_000,
  /** Lines of an import in JSON lines, those of history among them, and entities of all lines: more than fit in 10 MiB. */
  lines: 100_000,
  /** Entries of any other list. */
  entries: 1000,
};

/** Has zod stop at the first fault, as it does by itself where it only says whether there is one. */
export const atFirst = { abortEarly: true, reportInput: false };

/** From how many characters on the first fault alone is named: a million would take seconds to name, or the whole stack. */
const large = 100_000;

/** How zod reads something of so many characters: it stops at the first fault of much. */
export const readingOf = (characters: number): typeof atFirst | undefined =>
  characters > large ? atFirst : undefined;
