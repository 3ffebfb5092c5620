// What a project is read from: any server that speaks this API, by its export or, where it has none, by its lists.
import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ origin: string, key: string, header: string }} Server */
/** @typedef {(line: string) => void} Say */
/** @typedef {Record<string, unknown> & { id?: string }} Entity */

/** What is read, in the order of references as far as there is one, and parts that lists leave out: where they are. */
const lists = [
  { path: 'environments', kind: 'environments' },
  { path: 'wh_connections', kind: 'wh_connection' },
  { path: 'unit_id_types' },
  { path: 'tags' },
  { path: 'target_apps' },
  { path: 'teams' },
  { path: 'users' },
  { path: 'ingestion' },
  { path: 'segments', part: 'id_list' },
  { path: 'metrics' },
  { path: 'gates', query: 'includeArchived=true', part: 'overrides' },
  { path: 'release_pipelines' },
  { path: 'dynamic_configs', query: 'includeArchived=true' },
  { path: 'experiments/assignment_sources' },
  { path: 'layers', part: 'overrides' },
  { path: 'experiments', part: 'overrides' },
  { path: 'autotunes' },
  { path: 'prompts' },
  { path: 'param_stores' },
  { path: 'holdouts', part: 'overrides' },
  // Of a release under way a list does not tell all.
  { path: 'release_pipeline_triggers', status: ['COMPLETED', 'ABORTED'] },
];

/** How often a request is sent again, and how many of them at once. */
const [tries, atOnce] = [4, 8];

/**
 * Reads an answer to its end.
 * @param {Response} answer
 */
const readWhole = async (answer) => {
  const { ok, status, headers } = answer;
  return { ok, status, headers, text: await answer.text() };
};

/**
 * Asks a server; what fails for a moment, or breaks off, is asked again.
 * @param {Server} server
 * @param {string} path
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [request]
 */
export async function ask({ origin, key, header }, path, request = {}) {
  const headers = { [header]: key, ...request.headers };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${origin}${path}`, { ...request, headers })
      .then(readWhole)
      .catch((error) => error);
    const isPassing = answer instanceof Error || answer.status === 429 || answer.status >= 500;
    if (!isPassing) return answer;
    if (attempt === tries) throw new Error(`${origin}${path}: ${answer.message ?? answer.text}`);
    const asked = answer instanceof Error ? null : answer.headers.get('Retry-After');
    const seconds = /^\d+$/.test(asked ?? '') ? Number(asked) : attempt; // it may be a date
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/**
 * Adds what a list leaves out of an entity; a server that has no such part leaves it so.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {Entity} entity
 * @param {Say} say
 */
async function complete(server, { path, part }, entity, say) {
  if (!part || entity.type === 'rule_based') return entity;
  const place = `${path}/${encodeURIComponent(entity.id ?? '')}/${part}`;
  const answer = await ask(server, `/console/v1/${place}`);
  if (!answer.ok && answer.status !== 404) say(`${place}: not served (${answer.status})`);
  if (!answer.ok) return entity;
  const { data } = JSON.parse(answer.text);
  return part === 'id_list' ? { ...entity, ids: data.ids } : { ...entity, [part]: data };
}

/**
 * Reads one page, with what it leaves out of each entity.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {string} page
 * @param {Say} say
 */
async function readPage(server, list, page, say) {
  const answer = await ask(server, page);
  if (answer.status === 403 || answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${page}: ${answer.text}`);
  const { data, pagination } = JSON.parse(answer.text);
  // Settings are no list; before anybody set them, there are none.
  if (!Array.isArray(data))
    return { kind: list.kind, data: Object.keys(data).length > 0 ? [data] : [], pagination: {} };
  const { status } = list;
  const taken = status
    ? data.filter((/** @type {Entity} */ one) => status.includes(String(one.status)))
    : data;
  if (taken.length < data.length)
    say(`${list.path}: ${data.length - taken.length} under way, left out`);
  const whole = [];
  for (let at = 0; at < taken.length; at += atOnce) {
    const some = taken.slice(at, at + atOnce);
    whole.push(
      ...(await Promise.all(
        some.map((/** @type {Entity} */ entity) => complete(server, list, entity, say)),
      )),
    );
  }
  return { data: whole, pagination: { ...pagination, all: `/console/v1/${list.path}` } };
}

/**
 * Reads a list to its end, on from the last page that is there.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {string} file
 * @param {Say} say
 */
async function readList(server, list, file, say) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const kept = text.slice(0, text.lastIndexOf('\n') + 1);
  if (kept !== text) writeFileSync(file, kept); // The last page was written in part.
  const pages = kept
    .split('\n')
    .slice(0, -1)
    .map((page) => JSON.parse(page));
  const query = list.kind ? '' : `?limit=100${list.query ? `&${list.query}` : ''}`;
  const first = `/console/v1/${list.path}${query}`;
  let count = pages.reduce((sum, page) => sum + page.data.length, 0);
  for (let next = pages.length > 0 ? pages.at(-1).pagination.nextPage : first; next; ) {
    const page = await readPage(server, list, next, say);
    if (!page) return say(`${list.path}: not served`);
    appendFileSync(file, `${JSON.stringify(page)}\n`);
    count += page.data.length;
    say(`${list.path}: ${count} of ${page.pagination.totalItems ?? count}`);
    next = page.pagination.nextPage;
  }
}

/**
 * Reads an export.
 * @param {Server} server
 * @returns {Promise<string | undefined>} nothing where there is none
 */
async function readExport(server) {
  const { ok, status, text } = await ask(server, '/console/v1/export');
  if (status === 401) throw new Error(`${server.origin} does not know the key: ${text}`);
  return ok && /^\{"end":/m.test(text) ? text : undefined;
}

/**
 * Reads a whole project into files, of which those that are there already are not read again.
 * @param {Server} server
 * @param {string} folder
 * @param {Say} say
 * @returns {Promise<string[]>} the lines to import
 */
export async function readProject(server, folder, say) {
  const whole = join(folder, 'export.jsonl');
  const fileOf = (/** @type {string} */ path) => join(folder, `${path.replaceAll('/', '.')}.jsonl`);
  const hasLists = lists.some(({ path }) => existsSync(fileOf(path)));
  const text = existsSync(whole) || hasLists ? undefined : await readExport(server);
  if (text !== undefined) {
    writeFileSync(`${whole}.part`, text);
    renameSync(`${whole}.part`, whole);
  }
  const files = existsSync(whole) ? [whole] : lists.map(({ path }) => fileOf(path));
  if (existsSync(whole))
    say(`export: ${readFileSync(whole, 'utf8').trimEnd().split('\n').length - 1}`);
  else for (const list of lists) await readList(server, list, fileOf(list.path), say);
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
}

/**
 * Forgets what was read.
 * @param {string} folder
 */
export const forget = (folder) => rmSync(folder, { recursive: true, force: true });
