import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { Entity } from '../../src/store/core/entity.ts';
import type { Kind } from '../../src/store/core/kind.ts';
import type { EntityTable } from '../../src/store/sql/columns.ts';

/** A kind of entity, as far as its rows need to be known. */
type Seeded = Pick<Kind<Entity>, 'kind'> & { table: EntityTable };

/** The id of a copy: that of its model, and a number. */
const copyOf = (column: string) => `${column} || '_' || n`;

/** A JSON text of a model, as its copy has it: with the id, the name and the time of its own. */
const retold = (column: string) => `replace(replace(replace(${column},
  '"' || model.id || '"', '"' || ${copyOf('model.id')} || '"'),
  '"' || model.name || '"', '"' || model.name || ' ' || n || '"'),
  model.createdTime, model.createdTime + n * step)`;

/** One column of an entity's row. */
function cell(column: string): string {
  if (column === 'id') return copyOf('model.id');
  if (column === 'name' || column === 'sortName') return `model.${column} || ' ' || n`;
  if (column === 'createdTime' || column === 'lastModifiedTime')
    return `model.${column} + n * step`;
  return `model."${column}"`;
}

/** The numbers of the copies, and by how many milliseconds each is younger than the one before. */
const numbered =
  'with numbered (n, step) as (select value, cast(?3 as integer) from json_each(?2))';

function statements({ table }: Seeded): string[] {
  const name = getTableName(table);
  const columns = Object.keys(getTableColumns(table));
  const models = `numbered cross join "${name}" as model`;
  const nth = (column: string, of: string) =>
    `(select max(${column}) from revisions where ${of} = told.${of}) +
       row_number() over (partition by told.${of} order by n, seq)`;
  return [
    `${numbered} insert into revisions select null, told.kind, ${copyOf('told.id')}, 1, told.action,
       told.actorID, told.actorName, max(told.time, last.time) + n * step, told.requestID || '_' || n,
       ${retold('told.snapshot')}, ${retold('told.changes')},
       ${nth('nthOfKind', 'kind')}, ${nth('nthOfAction', 'action')}, ${nth('nthOfActor', 'actorID')}, null
     from ${models} join revisions as told on told.kind = ?1 and told.id = model.id,
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
 * Makes copies of each entity of a kind, as if each had been created by a request of its own, a moment after the other:
 * in tens of thousands, which the API itself would take minutes for. The models are at their first version and refer
 * to nothing.
 * @param step milliseconds between the copies of one model
 */
export async function multiply(kind: Seeded, copies: number, step = 1000): Promise<void> {
  const numbers = JSON.stringify(Array.from({ length: copies }, (_, index) => index + 1));
  await env.DB.batch(
    statements(kind).map((sql) => env.DB.prepare(sql).bind(kind.kind, numbers, step)),
  );
}
