// Fills a database with any number of gates: the first 100 through the API, the others as copies in SQL, including history,
// anchors, references, labels, totals and search.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, readMigrations } from '../scripts/dev/database.js';
import { call } from './client.js';
import { serve } from './workers.js';

/** @typedef {import('./workers.js').Served} Served */

/** The number of gates created through the API. */
const templates = 100;

/** Copies of each template per statement. */
const batchSize = 50;

export const gateID = (/** @type {number} */ n) => `gate_${n}`;

/** A tenth of the gates depends on the first, a fifth is temporary; each has two of 60 tags. */
const gate = (/** @type {number} */ n) => ({
  name: `Gate ${n}`,
  description: 'The purpose of the gate, in about as many words as people write.',
  tags: [`team_${n % 10}`, `area_${n % 50}`],
  type: n % 5 === 0 ? 'TEMPORARY' : 'PERMANENT',
  targetApps: ['web'],
  rules: [
    {
      name: 'Employees',
      passPercentage: 100,
      conditions: [{ type: 'email', operator: 'str_contains_any', targetValue: ['@shop.example'] }],
    },
    {
      name: 'A tenth',
      passPercentage: 10,
      conditions:
        n % 10 === 1
          ? [{ type: 'passes_gate', targetValue: gateID(0) }]
          : [{ type: 'country', operator: 'any', targetValue: ['DE', 'FR', 'NZ'] }],
    },
  ],
});

/** SQL of the columns that differ in a copy; `copy` counts from 1, and each copy is 1 ms later. */
const number = `cast(substr(template.id, 6) as integer) + copy.value * ${templates}`;
const moment = 'cast(?3 as integer) + copy.value';
const id = `'gate_' || (${number})`;
const name = `'Gate ' || (${number})`;

/**
 * Returns SQL that replaces ID, name and time of the template in a JSON column.
 * @param {string} column
 */
const rewritten = (column) => `replace(replace(replace(template.${column},
  '"' || template.id || '"', '"' || ${id} || '"'),
  '"Gate ' || substr(template.id, 6) || '"', '"' || ${name} || '"'),
  cast(template.time as text), cast(${moment} as text))`;

const later = (/** @type {string} */ column) => `template.${column} + copy.value * ${templates}`;

/** @type {Record<string, Record<string, string>>} */
const copied = {
  anchors: { id },
  labels: { id, createdTime: moment },
  refs: { fromID: id.replaceAll('template.id', 'template.fromID') },
  gates: { id, name, sortName: `lower(${name})`, createdTime: moment, lastModifiedTime: moment },
  revisions: {
    id,
    seq: later('seq'),
    nthOfKind: later('nthOfKind'),
    nthOfAction: later('nthOfAction'),
    nthOfActor: later('nthOfActor'),
    time: moment,
    requestID: "template.requestID || '-' || copy.value",
    snapshot: rewritten('snapshot'),
    changes: rewritten('changes'),
  },
};

/**
 * Returns the statement that copies the rows of the templates in a table. Parameters: ?1 the numbers of the copies, ?2 the
 * IDs of the templates, ?3 the time of the last template.
 * @param {D1Database} db
 * @param {string} table
 * @param {Record<string, string>} changed
 */
async function copyStatement(db, table, changed) {
  const info = await db.prepare('select name from pragma_table_info(?)').bind(table).all();
  const columns = info.results.map(({ name }) => String(name));
  const owner = 'fromID' in changed ? 'fromID' : 'id';
  return db.prepare(`insert into ${table} (${columns.join(', ')})
    with template as materialized (
      select * from ${table} where ${owner} in (select value from json_each(?2)))
    select ${columns.map((column) => changed[column] ?? `template.${column}`).join(', ')}
    from json_each(?1) as copy cross join template where ?3 is not null`);
}

/**
 * Copies the templates until the database has `size` gates.
 * @param {D1Database} db
 * @param {number} size
 */
async function multiply(db, size) {
  const copies = Array.from({ length: size / templates - 1 }, (_, index) => index + 1);
  const ids = JSON.stringify(Array.from({ length: templates }, (_, n) => gateID(n)));
  const last = await db.prepare('select max(time) as time from revisions').first('time');
  const statements = await Promise.all(
    Object.entries(copied).map(([table, changed]) => copyStatement(db, table, changed)),
  );
  // Of what was copied, the words; no text here is without blanks.
  const newest = db.prepare('select max(seq) as seq from revisions');
  const keepWords = db.prepare(`insert into search (rowid, kind, id, name, description, tags)
    select seq, kind, id, snapshot->>'name', snapshot->>'description', snapshot->>'tags'
    from revisions where seq > ?1`);
  while (copies.length > 0) {
    const some = JSON.stringify(copies.splice(0, batchSize));
    const seq = await newest.first('seq');
    await db.batch([
      ...statements.map((statement) => statement.bind(some, ids, last)),
      keepWords.bind(seq),
    ]);
  }
  const factor = size / templates;
  await db.prepare('update totals set count = count * ?1, hidden = hidden * ?1').bind(factor).run();
}

/**
 * Checks the totals of the API: all gates, the gates of a tag, and all changes.
 * @param {Served} served
 * @param {number} size
 */
async function check({ url }, size) {
  const total = async (/** @type {string} */ path) =>
    (await call(url, { method: 'GET', path })).body.pagination.totalItems;
  const found = [await total('gates'), await total('gates?tags=area_1'), await total('audit_logs')];
  const expected = [size, Math.ceil(size / 50), size];
  if (found.join() !== expected.join())
    throw new Error(`the API counts ${found.join()}, expected ${expected.join()}`);
}

/**
 * Fills the empty database of a console.
 * @param {Served} served
 * @param {number} size the number of gates: less than 100, or a multiple of 100
 */
async function fill(served, size) {
  const db = await served.server.getD1Database('DB');
  await migrate(db, readMigrations());
  for (let n = 0; n < Math.min(size, templates); n++)
    await call(served.url, { method: 'POST', path: 'gates', body: gate(n) });
  if (size > templates) await multiply(db, size);
  await check(served, size);
}

/**
 * Creates a database with `size` gates in a folder, and returns its path. Databases of one size are created once and copied.
 * @param {string} script the bundle of the console
 * @param {string} folder
 * @param {string} name of the folder within it
 * @param {number} size
 * @returns {Promise<string>}
 */
export async function seeded(script, folder, name, size) {
  const model = join(folder, `seeded-${size}`);
  if (!existsSync(model)) {
    const served = await serve(script, model);
    await fill(served, size).finally(() => served.server.dispose());
  }
  const own = join(folder, name);
  cpSync(model, own, { recursive: true });
  return own;
}
