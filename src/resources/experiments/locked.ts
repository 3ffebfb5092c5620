// In a file of its own, without the comparison, so that the console loads only the list.

/** Locked from the start: a change would falsify results. */
export const locked = [
  'idType',
  'experimentType',
  'layerID',
  'targetingGateID',
  'inlineTargetingRulesJSON',
  'groups',
  'controlGroupID',
  'userBuckets',
  'salt',
  'isAnalysisOnly',
  'assignmentSourceName',
] as const;
