/** A row of D1. */
export type Row = Record<string, string | number | null>;

export const parse = (text: unknown) => JSON.parse(String(text));

const hours = (time: number) => Math.floor(time / 3_600_000);

/** The larger count of the current and the previous hour. */
function checksPerHour(checks: Row[string] | undefined): number {
  const [hour, count, previous] = checks ? parse(checks) : [];
  const age = hours(Date.now()) - hour;
  if (age === 0) return Math.max(count, previous);
  return age === 1 ? count : 0;
}

/** Converts a row to a gate of the API. No gate of the bench is stale. */
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
  checksPerHour: checksPerHour(row.checks),
  type: row.type,
  typeReason: 'NONE',
  team: row.team,
  teamID: row.teamID,
  reviewSettings: parse(row.reviewSettings),
  measureMetricLifts: row.measureMetricLifts === 1,
  owner: parse(row.owner),
  monitoringMetrics: parse(row.monitoringMetrics),
  releasePipelineID: row.releasePipelineID,
  salt: row.salt,
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

/** The columns of a gate with default values. */
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
  salt: null,
  overrides: '{"passingUserIDs":[],"failingUserIDs":[],"environmentOverrides":[]}',
  archivedFrom: null,
  archiveReason: null,
  forceArchive: 0,
  ruleTimes: '{}',
  creatorID: 'root',
  creatorName: 'CONSOLE API',
  creatorEmail: null,
  lastModifierID: 'root',
  lastModifierName: 'CONSOLE API',
  lastModifierEmail: null,
};
