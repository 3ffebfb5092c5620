// Fills a database with any number of gates: the first hundred through the API, the others as their copies in SQL, so
// that history, anchors, references, labels, totals and search are what the API writes.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, readMigrations } from '../scripts/dev/database.js';
import { call } from './client.js';
import { serve } from './workers.js';

/** @typedef {import('./workers.js').Served} Served */

/** How many gates are made through the API. */
const templates = 100;

/** Copies of each template that are inserted by one statement. */
const atOnce = 50;

/** The id of the nth gate. */
export const gateID = (/** @type {number} */ n) => `gate_${n}`;

/** A tenth of the gates asks for the first, a fifth is temporary; there are sixty tags, and each gate has two. */
const gate = (/** @type {number} */ n) => ({
  name: `Gate ${n}`,
  description: 'What the gate is for, in about as many words as people write.',
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

/** What differs between a template and its copy, by column; `copy` counts from 1, and is a moment later than the last. */
const number = `cast(substr(template.id, 6) as integer) + copy.value * ${templates}`;
const moment = 'cast(?3 as integer) + copy.value';
const id = `'gate_' || (${number})`;
const name = `'Gate ' || (${number})`;

/**
 * A JSON text that tells of a template, as one that tells of its copy.
 * @param {string} column
 */
const retold = (column) => `replace(replace(replace(template.${column},
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
    snapshot: retold('snapshot'),
    changes: retold('changes'),
  },
};

/**
 * The statement that copies the rows of the templates in a table: ?1 are the numbers of the copies, ?2 the ids of the
 * templates, ?3 the time of the last of them.
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
 * Copies the templates until there are as many gates as are wanted, a hundred at a time.
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
    const some = JSON.stringify(copies.splice(0, atOnce));
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
 * Whether the API counts what is there: all gates, those of a tag, and all changes.
 * @param {Served} served
 * @param {number} size
 */
async function check({ url }, size) {
  const total = async (/** @type {string} */ path) =>
    (await call(url, { method: 'GET', path })).body.pagination.totalItems;
  const found = [await total('gates'), await total('gates?tags=area_1'), await total('audit_logs')];
  const expected = [size, Math.ceil(size / 50), size];
  if (found.join() !== expected.join())
    throw new Error(`the API counts ${found.join()} where there should be ${expected.join()}`);
}

/**
 * Fills the empty database of a console.
 * @param {Served} served
 * @param {number} size how many gates: less than a hundred, or a multiple of it
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
 * Gives a folder a database of its own with so many gates: those of one size are made once, and copied.
 * @param {string} script the console
 * @param {string} folder
 * @param {string} name of the folder within it
 * @param {number} size
 * @returns {Promise<string>} the path of that folder
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
