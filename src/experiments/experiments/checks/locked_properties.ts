// In a file of its own, so that the console loads no server code.

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
