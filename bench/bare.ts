import { defaults, gateOf, parse, type Row } from './bare/rows.ts';
import * as sql from './bare/sql.ts';

/** The properties of all request bodies. */
interface Body {
  description: string;
  name: string;
  tags: string[];
  rules: object[];
  changes: { path: string; body: { description: string } }[];
  events: object[];
}

interface Bindings {
  DB: D1Database;
  ROOT_API_KEY: string;
}

const revisionOf = (row: Row) => ({ ...row, changes: parse(row.changes) });

/** Returns a page of rows with the total. The statement reads one more row to detect the last page. */
async function page(
  db: D1Database,
  limit: number,
  batch: D1PreparedStatement[],
  toEntity: (row: Row) => object,
) {
  const [rows, counted] = await db.batch<Row>(batch);
  const { results = [] } = rows ?? {};
  const pagination = { totalItems: counted?.results[0]?.total, isLast: results.length <= limit };
  return Response.json({ data: results.slice(0, limit).map(toEntity), pagination });
}

function listGates(db: D1Database, { searchParams }: URL) {
  const [limit, tag] = [Number(searchParams.get('limit')), searchParams.get('tags')];
  const [rows, counted, facet] = tag
    ? [db.prepare(sql.taggedGates).bind(limit + 1, tag), sql.totalOfOne, ['tags', tag]]
    : [db.prepare(sql.newestGates).bind(limit + 1), sql.total, ['status,type,idType']];
  const due = db.prepare(sql.due).bind(Date.now());
  return page(db, limit, [rows, db.prepare(counted).bind(...facet), due], gateOf);
}

function listRevisions(db: D1Database, { searchParams }: URL) {
  const limit = Number(searchParams.get('limit'));
  const rows = db.prepare(sql.newestRevisions).bind(limit + 1);
  return page(db, limit, [rows, db.prepare(sql.countRevisions)], revisionOf);
}

async function readGate(db: D1Database, id: string) {
  const due = db.prepare(sql.dueOfOne).bind(id, Date.now());
  const [found] = await db.batch<Row>([db.prepare(sql.oneGate).bind(id), due]);
  const [row] = found?.results ?? [];
  return row ? Response.json({ data: gateOf(row) }) : new Response(null, { status: 404 });
}

async function gateRows(db: D1Database, ids: string[]): Promise<Row[]> {
  const found = await db.batch<Row>(ids.map((id) => db.prepare(sql.storedGate).bind(id)));
  const rows = found.flatMap(({ results }) => results);
  if (rows.length < ids.length) throw new Error(`a gate is missing: ${ids}`);
  return rows;
}

async function gateRow(db: D1Database, id: string): Promise<Row> {
  const [row = {}] = await gateRows(db, [id]);
  return row;
}

/** Returns the changed row, and the statement that stores it. */
function updated(db: D1Database, row: Row, changed: Row) {
  const version = Number(row.version) + 1;
  const all = { ...changed, version, lastModifiedTime: Date.now() };
  const names = Object.keys(all).map((name, index) => `${name} = ?${index + 3}`);
  const update = `update gates set ${names.join(', ')} where id = ?1 and version = ?2`;
  const statement = db.prepare(update).bind(row.id, row.version, ...Object.values(all));
  return { row: { ...row, ...all }, statement };
}

async function patchGate(db: D1Database, id: string, { description }: Body) {
  const { row, statement } = updated(db, await gateRow(db, id), { description });
  await db.batch([statement]);
  return Response.json({ data: gateOf(row) });
}

/** Archives or unarchives a gate, with its labels and totals. */
async function moveGate(db: D1Database, id: string, hidden: 0 | 1) {
  const old = await gateRow(db, id);
  const [status = null, archivedFrom = null] = hidden
    ? ['Archived', old.status]
    : [old.archivedFrom];
  const { row, statement } = updated(db, old, { status, archivedFrom });
  const sign = hidden ? 1 : -1;
  const totals = [
    ['status,type,idType', old.status, old.type, old.idType, -1, hidden - 1],
    ['status,type,idType', status, old.type, old.idType, 1, hidden],
    ['creatorID,creatorName', old.creatorID, old.creatorName, '', 0, sign],
    ...parse(old.tags).map((tag: string) => ['tags', tag, '', '', 0, sign]),
  ];
  await db.batch([
    statement,
    db.prepare(sql.moveLabels).bind(old.tags, hidden, old.createdTime, id),
    db.prepare(sql.addTotals).bind(JSON.stringify(totals)),
  ]);
  return Response.json({ data: gateOf(row) });
}

async function createGate(db: D1Database, body: Body) {
  const id = body.name.toLowerCase().replaceAll(' ', '_');
  if (await db.prepare(sql.storedGate).bind(id).first()) return new Response(null, { status: 409 });
  const now = Date.now();
  const rules = body.rules.map((rule) => {
    const ruleID = crypto.randomUUID();
    return { ...rule, id: ruleID, baseID: ruleID, environments: null };
  });
  const tags = JSON.stringify(body.tags);
  const times = { createdTime: now, lastModifiedTime: now };
  const own = { id, name: body.name, tags, rules: JSON.stringify(rules), ...times };
  const row: Row = { ...defaults, ...own };
  const totals = [
    ['status,type,idType', row.status, row.type, row.idType, 1, 0],
    ['creatorID,creatorName', row.creatorID, row.creatorName, '', 1, 0],
    ...body.tags.map((tag) => ['tags', tag, '', '', 1, 0]),
  ];
  await db.batch([
    db.prepare(sql.insertGate).bind(JSON.stringify(row)),
    db.prepare(sql.insertLabels).bind(tags, now, id),
    db.prepare(sql.addTotals).bind(JSON.stringify(totals)),
  ]);
  return Response.json({ data: gateOf(row) }, { status: 201 });
}

/** Reads all gates in one batch, and stores their changes in another. */
async function changeMany(db: D1Database, { changes }: Body) {
  const ids = changes.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const rows = await gateRows(db, ids);
  const updates = rows.map((row, index) => updated(db, row, changes[index]?.body ?? {}));
  await db.batch(updates.map(({ statement }) => statement));
  return Response.json({ data: updates.map(({ row }) => ({ body: { data: gateOf(row) } })) });
}

async function importEvents(db: D1Database, { events }: Body) {
  await db.batch([db.prepare(sql.insertEvents).bind(JSON.stringify(events))]);
  return Response.json({ data: { accepted: events.length } }, { status: 201 });
}

/**
 * The baseline of the bench: handwritten statements on the tables of the console, without framework, validation, history,
 * references or search. Labels and totals are maintained because lists read them.
 */
export default {
  async fetch(request, { DB, ROOT_API_KEY }) {
    if (request.headers.get('SERVICE-API-KEY') !== ROOT_API_KEY)
      return new Response(null, { status: 401 });
    const url = new URL(request.url);
    const [, , , resource, id = '', action] = url.pathname.split('/');
    const { method } = request;
    if (method === 'GET' && resource === 'gates') return id ? readGate(DB, id) : listGates(DB, url);
    if (method === 'GET') return listRevisions(DB, url);
    const body = await request.json<Body>();
    if (method === 'PATCH') return patchGate(DB, id, body);
    if (method === 'PUT') return moveGate(DB, id, action === 'archive' ? 1 : 0);
    if (resource === 'changes') return changeMany(DB, body);
    return resource === 'events' ? importEvents(DB, body) : createGate(DB, body);
  },
} satisfies ExportedHandler<Bindings>;
