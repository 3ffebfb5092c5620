// Without how they are compared, so that the console page knows which there are, and loads no more of them.

/** Locked from the start on: what a change of would falsify the results. */
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
