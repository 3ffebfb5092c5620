import { collection } from '../../store/collection.ts';
import { entityTable, numberField } from '../../store/columns.ts';
import { labels, naming, namingEach, namingMetrics } from '../../store/naming.ts';
import { members, updateMembers } from './membership.ts';
import type { Holdout } from './schema.ts';

export const holdoutTable = entityTable(
  'holdouts',
  {
    isGlobal: numberField('isGlobal'),
  },
  ['isGlobal'],
);

export const holdouts = collection<Holdout>({
  kind: 'holdout',
  title: 'Holdout',
  table: holdoutTable,
  references: (holdout) => [
    ...labels(holdout),
    ...naming('targetingGateID', 'gate', holdout.targetingGateID),
    ...namingMetrics('monitoringMetrics', holdout.monitoringMetrics),
    ...members.flatMap(({ property, collection: { kind } }) =>
      namingEach(property, kind, holdout[property]),
    ),
  ],
  entails: updateMembers,
});
