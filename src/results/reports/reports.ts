import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { isKept } from '../../analysis/base/removal.ts';
import { dateOfDay, dayOfDate, dayOfTime } from '../../base/time.ts';
import type { Service } from '../../platform/env.ts';
import { csvOf, csvStream, type Field } from '../../platform/http/csv.ts';
import { openReads } from '../../platform/http/transact.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { optionsOf } from '../base/options.ts';
import { selectionOf } from '../base/starts.ts';
import { exposurePages } from '../exposures/unit_exposures.ts';
import { loadDayOfRun, loadedDayOf, settingOf } from '../scorecard/experiment_results.ts';
import { resultsOf } from '../scorecard/pulse.ts';
import { type CSVRow, tableNames, tableRows, toplineNames } from '../scorecard/table.ts';
import type { ReportType } from './report_schema.ts';

const exposureNames = [
  ...['date', 'kind', 'id', 'start', 'unitType', 'unitID', 'group', 'firstTime'],
];

async function* exposureLines(db: Database, date: string): AsyncGenerator<string> {
  const ds = dayOfDate(date);
  for await (const page of exposurePages(db))
    yield csvOf(
      page
        .filter(({ time }) => dayOfTime(time) === ds)
        .map(({ kind, id, start, unitType, unit, group, time }) => [
          ...[date, kind, id, start, unitType, unit, group, time],
        ]),
    );
}

const readRuns = (ds: number): Statement<{ id: string; start: number }> =>
  statement(
    sql`select a.id, a.start from analyses a cross join experiments e on e.id = a.id
      where a.kind = 'experiment' and a.start / 86400000 <= ${constant(ds)} and a.loadedDay >= ${constant(ds)} and ${isKept('a')}
      order by a.id, a.start`,
    ({ id, start }) => ({ id: String(id), start: Number(start) }),
  )();

type ReportCells = (row: CSVRow, context: Parameters<typeof tableRows>[1]) => Field[];

async function* resultLines(
  c: Context<Service>,
  date: string,
  cellsOf: ReportCells,
): AsyncGenerator<string> {
  const [runs] = await c.get('db').batch(readRuns(dayOfDate(date)));
  for (const { id, start } of runs) {
    const selection = selectionOf(id, { start, date, rollup: -1 });
    const { experiment, analysis, chosen, day, exposures } = await loadDayOfRun(
      openReads(c),
      selection,
      start,
    );
    const ds = loadedDayOf(analysis, chosen?.ds);
    if (ds === null) continue;
    const rows = analysis.groups
      .filter((group) => group.id !== analysis.control)
      .flatMap((group) => {
        const sides = { control: analysis.control, test: group.id };
        const place = { ds, rollup: -1, test: group.id };
        const setting = settingOf(experiment, analysis, optionsOf({}, experiment), place);
        const context = { experiment, exposures, sides };
        return resultsOf(day, sides, setting).map((result) => [
          id,
          ...cellsOf({ date: dateOfDay(ds), result, dimension: '', slice: '' }, context),
        ]);
      });
    yield csvOf(rows);
  }
}

const toplineCells: ReportCells = ({ date, result }, { sides }) => [
  ...[date, result.metricID, result.metricName, sides.control, sides.test],
  ...toplineNames.map((name) => result[name]),
];

const toplineColumns = ['ds', 'metricID', 'metricName', 'control', 'test', ...toplineNames];

/** Responds with a report on a day as CSV. */
export function reportOn(
  c: Context<Service>,
  type: ReportType,
  date: string,
): Response | Promise<Response> {
  switch (type) {
    case 'first_exposures':
      return csvStream(c, exposureNames, exposureLines(c.get('db'), date));
    case 'pulse_daily': {
      const lines = resultLines(c, date, (row, context) => tableRows([row], context)[0] ?? []);
      return csvStream(c, ['experimentID', ...tableNames], lines);
    }
    case 'topline_impact_daily':
      return csvStream(c, ['experimentID', ...toplineColumns], resultLines(c, date, toplineCells));
  }
}
