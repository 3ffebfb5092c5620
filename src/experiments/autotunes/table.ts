import { integer, text } from 'drizzle-orm/sqlite-core';
import { referenceTo } from '../../base/naming.ts';
import { oneNamespace } from '../../flags/rules/namespace.ts';
import { kind } from '../../model/define_kind.ts';
import { boolean, entityTable, json, type TableRow } from '../../platform/store/sql/columns.ts';
import { followRun } from '../autotune_runs/following.ts';
import { restoreAutotune } from './autotune.ts';
import { type Autotune, autotuneStatuses } from './schema.ts';
import { attributionWindows, explorationWindows, winnerThresholds } from './settings.ts';

export const autotuneTable = entityTable('autotunes', {
  name: text().notNull(),
  idType: text().notNull(),
  status: text({ enum: autotuneStatuses }).notNull(),
  variants: json<Autotune['variants']>(),
  successEvent: text().notNull(),
  description: text().notNull(),
  successEventValue: text().notNull(),
  explorationWindow: text({ enum: explorationWindows }).notNull(),
  attributionWindow: text({ enum: attributionWindows }).notNull(),
  winnerThreshold: text({ enum: winnerThresholds }).notNull(),
  metadataField: text(),
  higherIsBetter: boolean(),
  isContextual: boolean(),
  metricSourceID: text().notNull(),
  linkedExperimentName: text().notNull(),
  goalRichText: text().notNull(),
  valueColumn: text().notNull(),
  featureList: json<Autotune['featureList']>(),
  settings: json<TableRow<Autotune>['settings']>(),
  tags: json<Autotune['tags']>(),
  targetApps: json<Autotune['targetApps']>(),
  startTime: integer(),
  decidedVariant: text(),
  decisionReason: text(),
  decisionTime: integer(),
});

export const autotunes = kind<Autotune>({
  kind: 'autotune',
  title: 'Autotune',
  table: autotuneTable,
  list: {
    labels: ({ tags, targetApps }) => ({ tags, targetApps }),
    totals: [['idType']],
  },
  refs: {
    outgoing: ({ linkedExperimentName }) =>
      referenceTo('linkedExperimentName', 'experiment', linkedExperimentName),
    idsSharedWith: oneNamespace,
  },
  normalizeRestored: restoreAutotune,
  async validate(tx, before, after) {
    tx.lastStatements.push(...followRun(before, after));
  },
});
