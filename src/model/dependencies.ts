import { sql } from 'drizzle-orm';
import { distinct } from '../base/distinct.ts';
import type { Dependencies } from '../platform/store/core/model.ts';
import { refs } from '../platform/store/sql/tables.ts';

const overrides = 'conditionalOverrides';

const members = {
  kind: sql`list.key`,
  id: sql`member.value`,
  join: sql`join holdouts on walk.kind = 'holdout' and holdouts.id = walk.id
    join json_each(json_object('gate', json(holdouts.gateIDs), 'experiment', json(holdouts.experimentIDs),
      'layer', json(holdouts.layerIDs))) list
    join json_each(list.value) member`,
};

const overriddenExperiments = {
  kind: sql`'experiment'`,
  id: sql`experiments.id`,
  join: sql`join ${refs} on toKind = walk.kind and toID = walk.id
      and fromKind = 'layer' and field = ${overrides}
    join layers on layers.id = fromID
    join json_each(layers.overrides, ${`$.${overrides}`}) entry
      on entry.value->>'type' = walk.kind and entry.value->>'name' = walk.id
    join experiments on experiments.id = entry.value->>'experimentName'
      and experiments.layerID = layers.id`,
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
  dependents: new Set(['gateIDs', 'experimentIDs', 'layerIDs']),
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
