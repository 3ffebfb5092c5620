import { and, getTableColumns, gt, inArray, notExists, sql } from 'drizzle-orm';
import { autotunes } from '../../experiments/autotunes/table.ts';
import { experiments } from '../../experiments/experiments/table.ts';
import { holdouts } from '../../experiments/holdouts/table.ts';
import { layers } from '../../experiments/layers/table.ts';
import { dynamicConfigs } from '../../flags/dynamic_configs/table.ts';
import { gates } from '../../flags/gates/table.ts';
import { paramStores } from '../../flags/param_stores/table.ts';
import { segments } from '../../flags/segments/table.ts';
import { keys } from '../../organization/keys/table.ts';
import { unitIdTypes } from '../../organization/unit_id_types/table.ts';
import type { Entity } from '../../platform/store/core/entity.ts';
import type { Kind } from '../../platform/store/core/kind.ts';
import { fromRow } from '../../platform/store/entities/mapping.ts';
import { goesOn } from '../../platform/store/history/queries.ts';
import { compileQuery, query, type Statement } from '../../platform/store/sql/statement.ts';
import { revisions } from '../../platform/store/sql/tables.ts';

export interface SnapshotSource<E extends Entity> {
  readonly kind: string;
  all(): Statement<object>;
  of(row: object): E;
}

/** Columns read for every kind. Optional properties share the column `settings`. */
const commonProperties = ['id', 'version', 'createdTime', 'settings'];

function source<E extends Entity>(
  kind: Kind<E>,
  ...properties: (keyof E & string)[]
): SnapshotSource<E> {
  const names = new Set<string>([...commonProperties, ...properties]);
  const columns = Object.entries(getTableColumns(kind.table)).filter(([name]) => names.has(name));
  const all = compileQuery(query.select(Object.fromEntries(columns)).from(kind.table));
  return { kind: kind.kind, all, of: (row) => fromRow(kind, row) };
}

const targetingProperties = ['idType', 'targetApps'] as const;

export const sources = {
  gates: source(
    gates,
    ...targetingProperties,
    'status',
    'holdoutIDs',
    'rules',
    'overrides',
    'salt',
    'measureMetricLifts',
    'ruleTimes',
  ),
  dynamicConfigs: source(
    dynamicConfigs,
    ...targetingProperties,
    'status',
    'holdoutIDs',
    'rules',
    'defaultValue',
  ),
  experiments: source(
    experiments,
    ...targetingProperties,
    'status',
    'archivedFrom',
    'startTime',
    'decisionTime',
    'launchedGroupID',
    'layerID',
    'holdoutIDs',
    'groups',
    'allocation',
    'targetingGateID',
    'inlineTargetingRulesJSON',
    'overrides',
  ),
  layers: source(layers, ...targetingProperties, 'parameters', 'holdoutIDs', 'overrides'),
  holdouts: source(
    holdouts,
    ...targetingProperties,
    'isEnabled',
    'passPercentage',
    'targetingGateID',
    'overrides',
    'phaseTime',
  ),
  segments: source(segments, ...targetingProperties, 'type', 'rules', 'ids', 'lastModifiedTime'),
  autotunes: source(
    autotunes,
    ...targetingProperties,
    'status',
    'startTime',
    'decidedVariant',
    'variants',
  ),
  paramStores: source(paramStores, 'targetAppIDs', 'parameters'),
  unitIDTypes: source(unitIdTypes),
  keys: source(
    keys,
    'name',
    'type',
    'scopes',
    'environments',
    'targetAppID',
    'reports',
    'hash',
    'isActive',
    'expiresTime',
  ),
};

const kindNames = Object.values(sources).map(({ kind }) => kind);

/** A revision. The state is present only if responses to applications depend on it. */
export interface KnownRevision {
  readonly seq: number;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** State after the change as JSON; for a removal, the state before. Null if a later revision replaced it. */
  readonly snapshot: string | null;
}

export const maxRevisions = 500;

/** Only the last state of an entity: a hundred states of a segment with 90,000 IDs exceed an isolate's memory. */
const isDependedOn = and(inArray(revisions.kind, kindNames), notExists(goesOn));

const readRevisionsAfter = compileQuery(
  query
    .select({
      seq: revisions.seq,
      kind: revisions.kind,
      id: revisions.id,
      version: revisions.version,
      snapshot: sql<string | null>`iif(${isDependedOn}, ${revisions.snapshot}, null)`.as(
        'snapshot',
      ),
    })
    .from(revisions)
    .where(gt(revisions.seq, sql.placeholder('seq')))
    .orderBy(revisions.seq)
    .limit(maxRevisions),
);

/** Reads the revisions after `seq` of all kinds, at most `maxRevisions`, so that none is read twice. */
export const revisionsAfter = (seq: number) => readRevisionsAfter({ seq });
