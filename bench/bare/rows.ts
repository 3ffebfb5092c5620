/** A row as D1 answers and takes it. */
export type Row = Record<string, string | number | null>;

/** What a JSON column holds. */
export const parse = (text: unknown) => JSON.parse(String(text));

/** A gate as it is answered. */
export const gateOf = (row: Row) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  idType: row.idType,
  targetApps: parse(row.targetApps),
  holdoutIDs: parse(row.holdoutIDs),
  tags: parse(row.tags),
  isEnabled: (row.archivedFrom ?? row.status) !== 'Disabled',
  status: row.status,
  rules: parse(row.rules),
  checksPerHour: 0,
  type: row.type,
  typeReason: 'NONE',
  team: row.team,
  teamID: row.teamID,
  reviewSettings: parse(row.reviewSettings),
  measureMetricLifts: row.measureMetricLifts === 1,
  owner: parse(row.owner),
  monitoringMetrics: parse(row.monitoringMetrics),
  releasePipelineID: row.releasePipelineID,
  version: row.version,
  createdTime: row.createdTime,
  creatorID: row.creatorID,
  creatorName: row.creatorName,
  creatorEmail: row.creatorEmail,
  lastModifiedTime: row.lastModifiedTime,
  lastModifierID: row.lastModifierID,
  lastModifierName: row.lastModifierName,
  lastModifierEmail: row.lastModifierEmail,
});

/** The columns of a gate of which only name, tags and rules are given. */
export const defaults = {
  version: 1,
  description: '',
  idType: 'userID',
  targetApps: '[]',
  holdoutIDs: '[]',
  tags: '[]',
  status: 'In Progress',
  rules: '[]',
  type: 'PERMANENT',
  team: null,
  teamID: null,
  reviewSettings: '{"requiredReview":false,"allowedReviewers":[]}',
  measureMetricLifts: 0,
  owner: '{"ownerID":"root","ownerName":"CONSOLE API","ownerType":"SDK_KEY","ownerEmail":""}',
  monitoringMetrics: '[]',
  releasePipelineID: null,
  overrides: '{"passingUserIDs":[],"failingUserIDs":[],"environmentOverrides":[]}',
  archivedFrom: null,
  archiveReason: null,
  forceArchive: 0,
  creatorID: 'root',
  creatorName: 'CONSOLE API',
  creatorEmail: null,
  lastModifierID: 'root',
  lastModifierName: 'CONSOLE API',
  lastModifierEmail: null,
};
