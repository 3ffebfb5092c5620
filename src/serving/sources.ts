import { getTableColumns, gt, inArray, notExists, sql } from 'drizzle-orm';
import { autotunes } from '../resources/autotunes/table.ts';
import { dynamicConfigs } from '../resources/dynamic_configs/table.ts';
import { experiments } from '../resources/experiments/table.ts';
import { gates } from '../resources/gates/table.ts';
import { holdouts } from '../resources/holdouts/table.ts';
import { keys } from '../resources/keys/table.ts';
import { layers } from '../resources/layers/table.ts';
import { paramStores } from '../resources/param_stores/table.ts';
import { segments } from '../resources/segments/table.ts';
import { unitIdTypes } from '../resources/unit_id_types/table.ts';
import type { Entity } from '../store/core/entity.ts';
import type { Kind } from '../store/core/kind.ts';
import { fromRow } from '../store/entities/mapping.ts';
import { goesOn } from '../store/history/queries.ts';
import { allOf, iif } from '../store/sql/expressions.ts';
import { compile, query, type Statement } from '../store/sql/statement.ts';
import { revisions } from '../store/sql/tables.ts';

/** A kind that answers depend on, and how it is read. */
export interface Source<E extends Entity> {
  readonly kind: string;
  /** Reads all entities of the kind, without what no answer depends on. */
  all(): Statement<object>;
  of(row: object): E;
}

/** What is read of every kind; properties that may be absent share the column `settings`. */
const always = ['id', 'version', 'createdTime', 'settings'];

function source<E extends Entity>(kind: Kind<E>, ...properties: (keyof E & string)[]): Source<E> {
  const wanted = new Set<string>([...always, ...properties]);
  const columns = Object.entries(getTableColumns(kind.table)).filter(([name]) => wanted.has(name));
  const all = compile(query.select(Object.fromEntries(columns)).from(kind.table));
  return { kind: kind.kind, all, of: (row) => fromRow(kind, row) };
}

const targeted = ['idType', 'targetApps'] as const;

/** Everything that answers depend on: what the compiler reads, the unit types of events, and the keys that may ask. */
export const sources = {
  gates: source(
    gates,
    ...targeted,
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
    ...targeted,
    'status',
    'holdoutIDs',
    'rules',
    'defaultValue',
  ),
  experiments: source(
    experiments,
    ...targeted,
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
  layers: source(layers, ...targeted, 'parameters', 'holdoutIDs', 'overrides'),
  holdouts: source(
    holdouts,
    ...targeted,
    'isEnabled',
    'passPercentage',
    'targetingGateID',
    'overrides',
    'phaseTime',
  ),
  segments: source(segments, ...targeted, 'type', 'rules', 'ids', 'lastModifiedTime'),
  autotunes: source(autotunes, ...targeted, 'status', 'startTime', 'decidedVariant', 'variants'),
  paramStores: source(paramStores, 'targetAppIDs', 'parameters'),
  unitIDTypes: source(unitIdTypes),
  keys: source(
    keys,
    'name',
    'type',
    'scopes',
    'environments',
    'targetAppID',
    'hash',
    'isActive',
    'expiresTime',
  ),
};

const kindNames = Object.values(sources).map(({ kind }) => kind);

/** One change, as history has it: the state is there where answers depend on it. */
export interface Revision {
  readonly seq: number;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** JSON of the state after the change; of a removal, of that before it. Null where a later change made another. */
  readonly snapshot: string | null;
}

/** How many changes are read at once; where there are more, everything is read anew. */
export const mostRevisions = 500;

/**
 * Whether answers depend on the state that a change made. Of an entity that was changed often it is the last one alone:
 * a hundred states of a segment with 90,000 ids, read together, are more than an isolate can hold.
 */
const isDependedOn = allOf(inArray(revisions.kind, kindNames), notExists(goesOn));

const after = compile(
  query
    .select({
      seq: revisions.seq,
      kind: revisions.kind,
      id: revisions.id,
      version: revisions.version,
      // The state comes as the text that it is.
      snapshot: iif<string | null>(isDependedOn, revisions.snapshot).as('snapshot'),
    })
    .from(revisions)
    .where(gt(revisions.seq, sql.placeholder('seq')))
    .orderBy(revisions.seq)
    .limit(mostRevisions),
);

/**
 * The changes after one, at most `mostRevisions`. It goes by the number alone, and over the changes of all kinds, so that
 * what is seen once is never read again.
 */
export const revisionsAfter = (seq: number) => after({ seq });
