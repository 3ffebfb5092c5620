import { integer, real, text } from 'drizzle-orm/sqlite-core';
import type * as z from 'zod';
import { newID } from '../../base/ids.ts';
import { metricReferencesTo, referencesTo, referenceTo } from '../../base/naming.ts';
import { editUnitOverrides, noUnitOverrides } from '../../flags/rules/unit_overrides.ts';
import { kind } from '../../model/define_kind.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { boolean, entityTable, json } from '../../platform/store/sql/columns.ts';
import { members, updateMembers } from './membership.ts';
import type { Holdout, holdoutCreate } from './schema.ts';

export const holdoutTable = entityTable(
  'holdouts',
  {
    name: text().notNull(),
    description: text().notNull(),
    idType: text().notNull(),
    targetApps: json<Holdout['targetApps']>(),
    tags: json<Holdout['tags']>(),
    team: text().notNull(),
    isEnabled: boolean(),
    isGlobal: boolean(),
    passPercentage: real().notNull(),
    gateIDs: json<Holdout['gateIDs']>(),
    experimentIDs: json<Holdout['experimentIDs']>(),
    layerIDs: json<Holdout['layerIDs']>(),
    dynamicConfigIDs: json<Holdout['dynamicConfigIDs']>(),
    promptIDs: json<Holdout['promptIDs']>(),
    targetingGateID: text().notNull(),
    monitoringMetrics: json<Holdout['monitoringMetrics']>(),
    overrides: json<Holdout['overrides']>(),
    phaseTime: integer(),
  },
  { filters: ['isGlobal'] },
);

function withPhaseTime(before: Holdout | undefined, holdout: Holdout, now: number): Holdout {
  const phaseOf = ({ idType, isEnabled, passPercentage, targetingGateID }: Holdout) =>
    JSON.stringify([idType, isEnabled, passPercentage, targetingGateID]);
  if (!before) return holdout; // a restored holdout
  const isUnchanged = phaseOf(before) === phaseOf(holdout);
  return { ...holdout, phaseTime: isUnchanged ? before.phaseTime : now };
}

export const holdouts = kind<Holdout>({
  kind: 'holdout',
  title: 'Holdout',
  table: holdoutTable,
  stamped: ['phaseTime'],
  list: {
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['isGlobal', 'idType'], ['team']],
  },
  refs: {
    outgoing: (holdout) => [
      ...referenceTo('targetingGateID', 'gate', holdout.targetingGateID),
      ...metricReferencesTo('monitoringMetrics', holdout.monitoringMetrics),
      ...members.flatMap(({ property, kind: { kind } }) =>
        referencesTo(property, kind, holdout[property]),
      ),
    ],
  },
  mergeOverrides: (holdout) => editUnitOverrides(holdout, 'replace', holdout.overrides),
  normalize: async (tx, before, wanted) => withPhaseTime(before, wanted, tx.author.time),
  validate: updateMembers,
});

/** Returns a new holdout from a creation body. */
export const newHoldout = (body: z.infer<typeof holdoutCreate>): Draft<Holdout> => ({
  description: '',
  idType: 'userID',
  targetApps: [],
  tags: [],
  team: '',
  isEnabled: false,
  isGlobal: false,
  passPercentage: 0,
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  targetingGateID: '',
  dynamicConfigIDs: [],
  promptIDs: [],
  monitoringMetrics: [],
  overrides: noUnitOverrides(),
  phaseTime: null,
  ...body,
  id: newID(body.id, body.name),
});
