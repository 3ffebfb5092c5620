/** A row as D1 answers and takes it. */
export type Row = Record<string, string | number | null>;

/** What a JSON column holds. */
export const parse = (text: unknown) => JSON.parse(String(text));

const hours = (time: number) => Math.floor(time / 3_600_000);

/** Checks of the running hour, or of the last whole one: the larger. */
function checksPerHour(checks: Row[string] | undefined): number {
  const [hour, count, previous] = checks ? parse(checks) : [];
  const age = hours(Date.now()) - hour;
  if (age === 0) return Math.max(count, previous);
  return age === 1 ? count : 0;
}

/** A gate as it is answered; none here is old enough to go. */
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
