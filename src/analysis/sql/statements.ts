import { type SQL, sql } from 'drizzle-orm';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { ExposedUnit, Unit } from '../base/exposures.ts';
import type { DayScope } from '../base/scope.ts';
import { type Chunk, exposedUnits, exposuresOfUnits, valueColumn } from './units.ts';

/** D1 returns text columns as texts, integers and reals as numbers; JSON is checked when it is stored. */
type ReadRow = Record<string, unknown>;

const parsedJSON = (json: unknown) => JSON.parse(String(json));

/** Returns the statement that reads columns of each unit of a chunk; `x` is the unit in these. */
export function readUnits(
  scope: DayScope,
  chunk: Chunk,
  columns: readonly SQL[],
): Statement<{ unit: Unit; raw: unknown[] }> {
  const named = columns.map(
    (each, place) => sql`,
      ${each} as ${sql.identifier(valueColumn(place))}`,
  );
  const hasDimensions = scope.analysis.settings.dimensions.length > 0;
  const attributes = hasDimensions ? sql`x.attributes` : sql`'{}'`;
  const written = sql`with x as (${exposedUnits(scope, chunk)})
    select x.unit, x.g, x.t, ${attributes} as attributes${sql.join(named)} from x order by x.unit`;
  return statement(written, (row: ReadRow) => ({
    unit: {
      unit: String(row.unit),
      group: String(row.g),
      time: Number(row.t),
      attributes: parsedJSON(row.attributes),
    },
    raw: columns.map((_, place) => row[valueColumn(place)]),
  }))();
}

/** Returns the statement that reads the exposures of each unit of a chunk. */
export const readExposures = (scope: DayScope, chunk: Chunk): Statement<ExposedUnit> =>
  statement(exposuresOfUnits(scope, chunk), (row: ReadRow) => ({
    unit: String(row.unit),
    attributes: parsedJSON(row.attributes),
    seen: parsedJSON(row.seen),
    isEarly: row.isEarly === 1,
  }))();
