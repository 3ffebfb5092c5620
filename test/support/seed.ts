import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { Entity } from '../../src/platform/store/core/entity.ts';
import type { Kind } from '../../src/platform/store/core/kind.ts';
import type { EntityTable } from '../../src/platform/store/sql/columns.ts';

/** The parts of a kind that copying needs. */
type Seeded = Pick<Kind<Entity>, 'kind'> & { table: EntityTable };

/** SQL of the ID of a copy. */
const copyOf = (column: string) => `${column} || '_' || n`;

/** SQL that replaces ID, name and time of the model in a JSON column. */
const rewritten = (column: string) => `replace(replace(replace(${column},
  '"' || model.id || '"', '"' || ${copyOf('model.id')} || '"'),
  '"' || model.name || '"', '"' || model.name || ' ' || n || '"'),
  model.createdTime, model.createdTime + n * step)`;

/** SQL of a column of a copy. */
function cell(column: string): string {
  if (column === 'id') return copyOf('model.id');
  if (column === 'name' || column === 'sortName') return `model.${column} || ' ' || n`;
  if (column === 'createdTime' || column === 'lastModifiedTime')
    return `model.${column} + n * step`;
  return `model."${column}"`;
}

/** The numbers of the copies, and the milliseconds between them. */
const numbered =
  'with numbered (n, step) as (select value, cast(?3 as integer) from json_each(?2))';

function statements({ table }: Seeded): string[] {
  const name = getTableName(table);
  const columns = Object.keys(getTableColumns(table));
  const models = `numbered cross join "${name}" as model`;
  const nth = (column: string, of: string) =>
    `(select max(${column}) from revisions where ${of} = source.${of}) +
       row_number() over (partition by source.${of} order by n, seq)`;
  return [
    `${numbered} insert into revisions select null, source.kind, ${copyOf('source.id')}, 1, source.action,
       source.actorID, source.actorName, max(source.time, last.time) + n * step, source.requestID || '_' || n,
       ${rewritten('source.snapshot')}, ${rewritten('source.changes')},
       ${nth('nthOfKind', 'kind')}, ${nth('nthOfAction', 'action')}, ${nth('nthOfActor', 'actorID')}, null
     from ${models} join revisions as source on source.kind = ?1 and source.id = model.id,
       (select max(time) as time from revisions) as last order by n, seq`,
    `${numbered} insert into search (rowid, kind, id, name, description, tags)
     select told.seq, told.kind, told.id, told.snapshot->>'name', told.snapshot->>'description', told.snapshot->>'tags'
     from ${models} cross join revisions as told
     where told.id = ${copyOf('model.id')} and told.kind = +?1 and told.version = 1 and ?3 is not null`,
    `${numbered} insert into anchors select anchor.kind, ${copyOf('anchor.id')}
     from numbered cross join anchors as anchor where anchor.kind = ?1`,
    `${numbered} insert into labels
     select label.kind, label.label, label.value, label.hidden, label.createdTime + n * step, ${copyOf('label.id')}
     from numbered cross join labels as label where label.kind = ?1`,
    `${numbered} insert into "${name}" (${columns.map((column) => `"${column}"`).join()})
     select ${columns.map(cell).join()} from ${models} where true`,
    `update totals set count = count * (select count(*) + 1 from json_each(?2)),
       hidden = hidden * (select count(*) + 1 from json_each(?2)) where kind = ?1 and ?3 is not null`,
  ];
}

/**
 * Copies each entity of a kind by SQL, because the API would need minutes for tens of thousands. The entities must have one
 * version and no references. @param step milliseconds between the copies of one entity
 */
export async function multiply(kind: Seeded, copies: number, step = 1000): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: copies }, (_, index) => index + 1));
  await env.DB.batch(
    statements(kind).map((sql) => env.DB.prepare(sql).bind(kind.kind, numbers, step)),
  );
}
