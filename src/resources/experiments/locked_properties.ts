// In a file of its own, so that the console loads no server code.

/** Locked after the start, because a change would falsify the results. */
export const lockedProperties = [
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
  'decisionRule',
  'smallestChanges',
] as const;
