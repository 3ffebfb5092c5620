// Reads a project from any server with this API: its export, or its lists if it has no export.
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
/** @typedef {(line: string) => void} Log */
/** @typedef {Record<string, unknown> & { id?: string }} Entity */

/** The lists to read, referenced entities first, with the `part` of each entity that the list omits. */
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
  // The list has only a part of an unfinished release.
  { path: 'release_pipeline_triggers', status: ['COMPLETED', 'ABORTED'] },
];

const maxAttempts = 4;
const maxConcurrentRequests = 8;

/**
 * @param {Response} response
 */
const readWhole = async (response) => {
  const { ok, status, headers } = response;
  return { ok, status, headers, text: await response.text() };
};

/**
 * Sends a request, and repeats it up to three times after a lost connection, 429 or 5xx.
 * @param {Server} server
 * @param {string} path
 * @param {{ method?: string, headers?: Record<string, string>, body?: string }} [init]
 */
export async function request({ origin, key, header }, path, init = {}) {
  const headers = { [header]: key, ...init.headers };
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${origin}${path}`, { ...init, headers })
      .then(readWhole)
      .catch((error) => error);
    const isTemporary =
      response instanceof Error || response.status === 429 || response.status >= 500;
    if (!isTemporary) return response;
    if (attempt === maxAttempts)
      throw new Error(`${origin}${path}: ${response.message ?? response.text}`);
    const retryAfter = response instanceof Error ? null : response.headers.get('Retry-After');
    const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : attempt; // it may be a date
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/**
 * Adds the part of an entity that its list omits, if the server has it.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {Entity} entity
 * @param {Log} log
 */
async function complete(server, { path, part }, entity, log) {
  if (!part || entity.type === 'rule_based') return entity;
  const place = `${path}/${encodeURIComponent(entity.id ?? '')}/${part}`;
  const answer = await request(server, `/console/v1/${place}`);
  if (!answer.ok && answer.status !== 404) log(`${place}: not served (${answer.status})`);
  if (!answer.ok) return entity;
  const { data } = JSON.parse(answer.text);
  return part === 'id_list' ? { ...entity, ids: data.ids } : { ...entity, [part]: data };
}

/**
 * Reads one page, with the omitted part of each entity; undefined if the server does not have the list.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {string} page
 * @param {Log} log
 */
async function readPage(server, list, page, log) {
  const answer = await request(server, page);
  if (answer.status === 403 || answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${page}: ${answer.text}`);
  const { data, pagination } = JSON.parse(answer.text);
  // Settings are one object, which is empty until they are first changed.
  if (!Array.isArray(data))
    return { kind: list.kind, data: Object.keys(data).length > 0 ? [data] : [], pagination: {} };
  const { status } = list;
  const taken = status
    ? data.filter((/** @type {Entity} */ one) => status.includes(String(one.status)))
    : data;
  if (taken.length < data.length)
    log(`${list.path}: ${data.length - taken.length} unfinished, skipped`);
  const whole = [];
  for (let at = 0; at < taken.length; at += maxConcurrentRequests) {
    const some = taken.slice(at, at + maxConcurrentRequests);
    whole.push(
      ...(await Promise.all(
        some.map((/** @type {Entity} */ entity) => complete(server, list, entity, log)),
      )),
    );
  }
  return { data: whole, pagination: { ...pagination, all: `/console/v1/${list.path}` } };
}

/**
 * Reads a list to its end, starting after the last page in the file.
 * @param {Server} server
 * @param {(typeof lists)[number]} list
 * @param {string} file
 * @param {Log} log
 */
async function readList(server, list, file, log) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const kept = text.slice(0, text.lastIndexOf('\n') + 1);
  if (kept !== text) writeFileSync(file, kept); // the last page was interrupted
  const pages = kept
    .split('\n')
    .slice(0, -1)
    .map((page) => JSON.parse(page));
  const query = list.kind ? '' : `?limit=100${list.query ? `&${list.query}` : ''}`;
  const first = `/console/v1/${list.path}${query}`;
  let count = pages.reduce((sum, page) => sum + page.data.length, 0);
  for (let next = pages.length > 0 ? pages.at(-1).pagination.nextPage : first; next; ) {
    const page = await readPage(server, list, next, log);
    if (!page) return log(`${list.path}: not served`);
    appendFileSync(file, `${JSON.stringify(page)}\n`);
    count += page.data.length;
    log(`${list.path}: ${count} of ${page.pagination.totalItems ?? count}`);
    next = page.pagination.nextPage;
  }
}

/**
 * Reads the export; undefined if the server has none, or if it was interrupted.
 * @param {Server} server
 * @returns {Promise<string | undefined>}
 */
async function readExport(server) {
  const { ok, status, text } = await request(server, '/console/v1/export');
  if (status === 401) throw new Error(`${server.origin} rejected the key: ${text}`);
  return ok && /^\{"end":/m.test(text) ? text : undefined;
}

/**
 * Reads a project into files, and skips the pages that a previous run has read.
 * @param {Server} server
 * @param {string} folder
 * @param {Log} log
 * @returns {Promise<string[]>} the lines to import
 */
export async function readProject(server, folder, log) {
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
    log(`export: ${readFileSync(whole, 'utf8').trimEnd().split('\n').length - 1}`);
  else for (const list of lists) await readList(server, list, fileOf(list.path), log);
  return files
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
}

/**
 * @param {string} folder
 */
export const removeDownload = (folder) => rmSync(folder, { recursive: true, force: true });
