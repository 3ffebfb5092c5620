// The statements of the bare Worker.

const columns = `id, version, createdTime, creatorID, creatorName, creatorEmail, lastModifiedTime, lastModifierID,
  lastModifierName, lastModifierEmail, name, description, idType, targetApps, holdoutIDs, tags, status, rules, type,
  team, teamID, reviewSettings, measureMetricLifts, owner, monitoringMetrics, releasePipelineID, salt, overrides,
  archivedFrom, archiveReason, forceArchive, ruleTimes`;

// For checksPerHour and typeReason: a gate may be stale if it is unchanged for 30 days.
const mayBeStale =
  "type = 'TEMPORARY' and lastModifiedTime <= unixepoch() * 1000 - 30 * 24 * 60 * 60 * 1000";
const counted = `coalesce((select json_array(hour, count, previous, lastTrue, lastFalse) from checks
    where checks.kind = 'gate' and checks.id = gates.id), iif(${mayBeStale} and exists (select 1 from checks), 'false', null)) as checks,
  iif(${mayBeStale}, exists (select 1 from refs where toKind = 'gate' and toID = gates.id), null) as isReferred`;

const shown = `${columns}, ${counted}`;

export const storedGate = `select ${columns} from gates where id = ?1`;

export const oneGate = `select ${shown} from gates where id = ?1`;

export const newestGates = `select ${shown} from gates where archivedFrom is null order by createdTime desc, id limit ?1`;

/** Overdue release phases of one gate, which must be applied before the gate is returned. */
export const dueOfOne =
  'select id from release_pipeline_triggers where gateID = ?1 and dueTime <= ?2';

export const due = 'select id from release_pipeline_triggers where dueTime <= ?1 limit 100';

export const taggedGates = `select ${shown.replace('id,', 'gates.id,').replace('createdTime', 'gates.createdTime')}
  from labels join gates on gates.id = labels.id where labels.kind = 'gate' and label = 'tags' and value = ?2
  and hidden = 0 order by labels.createdTime desc, labels.id limit ?1`;

export const total =
  "select coalesce(sum(count - hidden), 0) as total from totals where kind = 'gate' and facet = ?1";

export const totalOfOne = `${total} and a = ?2`;

export const newestRevisions = `select kind, id, version, action, actorID, actorName, time,
  requestID || '.' || time as requestID, snapshot->>'name' as name, note, changes from revisions order by seq desc limit ?1`;

export const countRevisions = 'select max(seq) as total from revisions';

export const insertGate = `insert into gates (${columns}) select ${columns
  .split(/,\s+/)
  .map((column) => `?1->>'${column}'`)
  .join(', ')}`;

export const insertLabels = `insert into labels (kind, label, value, hidden, createdTime, id)
  select 'gate', 'tags', value, 0, ?2, ?3 from json_each(?1)`;

export const moveLabels = `update labels set hidden = ?2 where kind = 'gate' and label = 'tags'
  and value in (select value from json_each(?1)) and hidden = 1 - ?2 and createdTime = ?3 and id = ?4`;

export const addTotals = `insert into totals (kind, facet, a, b, c, count, hidden)
  select 'gate', value->>0, value->>1, value->>2, value->>3, value->>4, value->>5 from json_each(?1) where true
  on conflict do update set count = count + excluded.count, hidden = hidden + excluded.hidden`;

export const insertEvents = `insert into events (timestamp, name, source, value, userID, metadata)
  select value->>'timestamp', value->>'name', value->>'source', value->>'value', value->>'userID', value->'metadata'
  from json_each(?1) order by value->>'timestamp', key`;
