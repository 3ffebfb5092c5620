/** Sentences about a name in lists, which may be registered or only used. */
export const usedNameWords = {
  schema: 'Version, times and people are null if the name is used but not registered.',
  uses: 'The number of entities that have it in a property.',
};
