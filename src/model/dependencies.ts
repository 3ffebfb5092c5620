import { sql } from 'drizzle-orm';
import { distinct } from '../base/distinct.ts';
import { experimentTable } from '../experiments/experiments/columns.ts';
import { holdoutTable } from '../experiments/holdouts/columns.ts';
import { layerTable } from '../experiments/layers/columns.ts';
import type { Dependencies } from '../platform/store/core/model.ts';
import { refs } from '../platform/store/sql/tables.ts';

const overrides = 'conditionalOverrides';

const { gateIDs, experimentIDs, layerIDs } = holdoutTable;

const members = {
  kind: sql`list.key`,
  id: sql`member.value`,
  join: sql`join ${holdoutTable} on walk.kind = 'holdout' and ${holdoutTable.id} = walk.id
    join json_each(json_object('gate', json(${gateIDs}), 'experiment', json(${experimentIDs}),
      'layer', json(${layerIDs}))) list
    join json_each(list.value) member`,
};

const overriddenExperiments = {
  kind: sql`'experiment'`,
  id: experimentTable.id,
  join: sql`join ${refs} on toKind = walk.kind and toID = walk.id
      and fromKind = 'layer' and field = ${overrides}
    join ${layerTable} on ${layerTable.id} = fromID
    join json_each(${layerTable.overrides}, ${`$.${overrides}`}) entry
      on entry.value->>'type' = walk.kind and entry.value->>'name' = walk.id
    join ${experimentTable} on ${experimentTable.id} = entry.value->>'experimentName'
      and ${experimentTable.layerID} = ${layerTable.id}`,
};

/** How evaluations depend on each other. See docs/contract/evaluation.md#57-always-true-of-a-spec. */
export const dependencies: Dependencies = {
  properties: new Set([
    'rules',
    'targetingGateID',
    'inlineTargetingRulesJSON',
    'overrides',
    'layerID',
    'metricComponentMetrics',
  ]),
  dependents: new Set([gateIDs.name, experimentIDs.name, layerIDs.name]),
  delegated: {
    property: overrides,
    dependentsOf: (references) => {
      const named = references.filter(({ kind }) => kind === 'experiment_on_the_layer');
      const ids = distinct(named.map(({ id }) => id.slice(id.indexOf(':') + 1)));
      return ids.map((id) => ({ kind: 'experiment', id }));
    },
  },
  releases: { targets: new Set(['gateID', 'dynamicConfigID']), phases: 'phases' },
  rows: [members, overriddenExperiments],
};
