/** Limits of one request: well above real use, and few enough that no request blocks the service. */
export const limits = {
  tags: 100,
  metrics: 500,
  rules: 500,
  conditions: 500,
  /** Conditions of all rules of an entity: each may refer to another entity, which is read. */
  allConditions: 10_000,
  targets: 10_000,
  groups: 100,
  variants: 100,
  phases: 100,
  environments: 100,
  parameters: 1000,
  /** Members of a holdout, of each kind: each is read, and keeps a reference. */
  members: 20_000,
  ids: 50_000,
  overrides: 1000,
  /** Ids added to a segment, or removed from it, in one call. */
  segmentIDs: 100_000,
  /** Properties of a JSON object, such as the value of a dynamic config. */
  keys: 10_000,
  /** Levels of nesting in JSON: deeper values exhaust the stack of recursive walks. */
  depth: 64,
  /** Levels in an import, which nests values in entities and these in revisions. */
  arrivingDepth: 80,
  filterValues: 100,
  changes: 50,
  /** Lines of an import in one JSON body, and entities of one line. */
  arrivals: 20_000,
  /** Lines of an import in JSON lines with its revisions, and entities of all lines: more than fit in 10 MiB. */
  lines: 100_000,
  entries: 1000,
};

export const atFirst = { abortEarly: true, reportInput: false };

/** From this size in characters, only the first fault is reported: a million take seconds, or exhaust the stack. */
const manyFaultsLimit = 100_000;

/** Returns the options of zod for a text of this many characters. */
export const parseContext = (characters: number): typeof atFirst | undefined =>
  characters > manyFaultsLimit ? atFirst : undefined;

/** Values beyond this magnitude count as no number: their squares, summed, must stay numbers. */
export const maxMagnitude = 1e50;
