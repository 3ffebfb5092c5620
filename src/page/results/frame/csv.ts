import type { GroupExposures } from './api_types.ts';
import { allOf, type Compared } from './compared.ts';
import { countingOf } from './counting.ts';
import type { Result } from './types.ts';

type Cell = string | number | null | undefined;

/** Spreadsheets run a cell that begins with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

function cellOf(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = formula.test(cell ?? '') ? `'${cell}` : (cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns lines of CSV that end in CRLF. */
export const csvOf = (lines: Cell[][]) =>
  lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');

const columns: [string, (result: Result) => Cell][] = [
  ['metric_id', ({ metricID }) => metricID],
  ['metric', ({ metricName }) => metricName],
  ['control_mean', ({ controlMean }) => controlMean],
  ['control_units', ({ controlUnits }) => controlUnits],
  ['test_mean', ({ testMean }) => testMean],
  ['test_units', ({ testUnits }) => testUnits],
  ['absolute_change', ({ absoluteChange }) => absoluteChange],
  ['percent_change', ({ percentChange }) => percentChange],
  ['percent_lower', ({ percentConfidenceInterval: interval }) => interval?.lower],
  ['percent_upper', ({ percentConfidenceInterval: interval }) => interval?.upper],
  [
    'always_valid_lower',
    ({ percentSequentialTestingConfidenceInterval: interval }) => interval?.lower,
  ],
  [
    'always_valid_upper',
    ({ percentSequentialTestingConfidenceInterval: interval }) => interval?.upper,
  ],
  ['p_value', ({ pValue }) => pValue],
  ['adjusted_p_value', ({ adjustedPValue }) => adjustedPValue],
  ['chance_to_beat', ({ bayesian }) => bayesian?.chanceToBeat],
  ['reading', countingOf],
];

/** Returns the visible results as CSV: one line for each metric and test group. */
export const resultsAsCSV = (control: string, compared: Compared[]) =>
  csvOf([
    ['control', 'test', 'data_to', ...columns.map(([head]) => head)],
    ...compared.flatMap(({ name, results }) =>
      allOf(results).map((result) => [
        control,
        name,
        results.ds,
        ...columns.map(([, read]) => read(result)),
      ]),
    ),
  ]);

/** Returns the cumulative units as CSV: one line for each day and group. */
export const exposuresAsCSV = (groups: GroupExposures[]) =>
  csvOf([
    ['date', 'group_id', 'group', 'units'],
    ...groups.flatMap(({ groupID, groupName, results }) =>
      results.map(({ date, exposures }) => [date, groupID, groupName, exposures]),
    ),
  ]);
