import type { Pair } from '../../analysis/base/cells.ts';
import type { StoredExposures } from '../../analysis/read/series.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';
import { type Field, tableOf } from '../../platform/http/csv.ts';
import { intervalNames, numberNames, type Result } from '../base/schema.ts';
import { balanceOfGroups, crossoversOf } from './balance.ts';

export interface CSVRow {
  date: string;
  result: Result;
  dimension: string;
  slice: string;
}

interface TableContext {
  experiment: Experiment;
  exposures: readonly StoredExposures[];
  sides: Pair;
}

export const tableNames: readonly string[] = [
  ...['ds', 'metricID', 'metricName', 'control', 'test', 'dimension', 'dimension_value'],
  ...numberNames,
  ...intervalNames.flatMap((name) => [`${name}Lower`, `${name}Upper`]),
  ...['cupedApplied', 'cupedTheta', 'chanceToBeat', 'expectedLoss', 'sprtDecision'],
  ...['significant', 'significanceBasis', 'reason', 'warnings', 'srmPValue', 'crossoverShare'],
];

export const toplineNames = [
  'testUnits',
  'controlUnits',
  ...numberNames.filter((name) => /ToplineImpact/.test(name)),
] as const;

/** Returns the cells of results, in the order of `tableNames`. */
export function tableRows(rows: readonly CSVRow[], context: TableContext): Field[][] {
  const { experiment, exposures, sides } = context;
  const srmPValue = balanceOfGroups(experiment, exposures)?.pValue;
  const { share } = crossoversOf(exposures);
  return rows.map(({ date, result, dimension, slice }): Field[] => [
    ...[date, result.metricID, result.metricName, sides.control, sides.test, dimension, slice],
    ...numberNames.map((name) => result[name]),
    ...intervalNames.flatMap((name) => [result[name]?.lower, result[name]?.upper]),
    ...[result.cuped?.applied, result.cuped?.theta, result.bayesian?.chanceToBeat],
    ...[result.bayesian?.expectedLoss, result.sprt?.decision, result.significant],
    ...[result.significanceBasis, result.reason, result.warnings.join('; '), srmPValue, share],
  ]);
}

/** Returns results as CSV, one line for each metric and slice. */
export const resultTable = (rows: readonly CSVRow[], context: TableContext): string =>
  tableOf(tableNames, tableRows(rows, context));
