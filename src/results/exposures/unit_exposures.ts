import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { readChosenAnalysis } from '../../analysis/read/stored.ts';
import type { Service } from '../../platform/env.ts';
import { csvOf, csvStream } from '../../platform/http/csv.ts';
import type { Database } from '../../platform/store/sql/database.ts';
import { constant } from '../../platform/store/sql/expressions.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import { runOf, selectionOf, withExperiment } from '../base/starts.ts';

/** Times in epoch milliseconds. */
interface UnitExposure {
  kind: string;
  id: string;
  start: number;
  unitType: string;
  unit: string;
  group: string;
  time: number;
}

const rowsOfPage = 5000;

const first: Omit<UnitExposure, 'time'> = {
  ...{ kind: '', id: '', start: 0 },
  ...{ unitType: '', unit: '', group: '' },
};

const readPage = (
  after: Omit<UnitExposure, 'time'>,
  of?: Pick<UnitExposure, 'kind' | 'id' | 'start' | 'unitType'>,
): Statement<UnitExposure> => {
  const { kind, id, start, unitType, unit, group } = after;
  const key = of
    ? sql`kind = ${of.kind} and id = ${of.id} and start = ${constant(of.start)} and unitType = ${of.unitType}
        and (unit, "group") > (${unit}, ${group})`
    : sql`(kind, id, start, unitType, unit, "group") > (${kind}, ${id}, ${constant(start)}, ${unitType}, ${unit}, ${group})`;
  return statement(
    sql`select kind, id, start, unitType, unit, "group", max(firstTime, start) as time from exposures
      where ${key} order by kind, id, start, unitType, unit, "group" limit ${constant(rowsOfPage)}`,
    (row) => ({
      kind: String(row.kind),
      id: String(row.id),
      start: Number(row.start),
      unitType: String(row.unitType),
      unit: String(row.unit),
      group: String(row.group),
      time: Number(row.time),
    }),
  )();
};

/** Yields the exposures of one run, or all exposures, page by page. */
export async function* exposurePages(
  db: Database,
  of?: Pick<UnitExposure, 'kind' | 'id' | 'start' | 'unitType'>,
): AsyncGenerator<UnitExposure[]> {
  let after = first;
  for (;;) {
    const [page] = await db.batch(readPage(after, of));
    yield page;
    if (page.length < rowsOfPage) return;
    after = page.at(-1) ?? after;
  }
}

async function* csvLines(pages: AsyncGenerator<UnitExposure[]>): AsyncGenerator<string> {
  for await (const page of pages)
    yield csvOf(page.map(({ unit, group, time }) => [unit, group, time]));
}

/** Responds with the exposed units of an experiment as CSV. @throws Problem 404, or 409 before the start */
export async function unitExposures(
  c: Context<Service>,
  id: string,
  query: { start?: number | undefined },
): Promise<Response> {
  const selection = selectionOf(id, query);
  const [experiment, [[stored]]] = await withExperiment(c, id, (tx) =>
    tx.read(readChosenAnalysis(selection)),
  );
  const { kind, start, unitType } = runOf(experiment, stored, query.start);
  const pages = exposurePages(c.get('db'), { kind, id, start, unitType });
  return csvStream(c, ['unitID', 'group', 'firstTime'], csvLines(pages));
}
