// Writes a project to a server of this project, in pieces.
import { request } from './source.js';

// The limits of one import. The server finds out by itself which entities must be stored together.
const maxEntities = 20_000;
const maxBytes = 10 * 1024 * 1024;

/** @typedef {{ place: string, kind: string, id: string, message: string }} Refusal */
/** @typedef {{ stored: number, unchanged: number, skipped: number, refused: Refusal[], ignored: string[] }} Report */

/**
 * @param {string} line
 */
const entitiesOf = (line) => JSON.parse(line).data?.length ?? 1;

/**
 * Groups lines into requests.
 * @param {string[]} lines
 */
function piecesOf(lines) {
  /** @type {string[][]} */
  const pieces = [];
  let [entities, bytes] = [maxEntities, 0];
  for (const line of lines) {
    const [count, size] = [entitiesOf(line), Buffer.byteLength(line) + 1];
    entities += count;
    bytes += size;
    if (entities > maxEntities || bytes > maxBytes) {
      pieces.push([]);
      [entities, bytes] = [count, size];
    }
    pieces.at(-1)?.push(line);
  }
  return pieces;
}

/**
 * @param {import('./source.js').Server} server
 * @param {string[]} piece
 * @returns {Promise<Report>}
 */
async function sendPiece(server, piece) {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const body = piece.join('\n');
  const { ok, text } = await request(server, '/console/v1/import', {
    method: 'POST',
    headers,
    body,
  });
  if (!ok) throw new Error(`${server.origin} refused the import: ${text}`);
  return JSON.parse(text).data;
}

/**
 * Imports lines. A piece that refers to a later one is refused, so refused pieces are sent again until a round stores
 * nothing. Existing entities stay unchanged.
 * @param {import('./source.js').Server} server
 * @param {string[]} lines
 * @param {import('./source.js').Log} log
 * @returns {Promise<Report>}
 */
export async function writeProject(server, lines, log) {
  /** @type {Report} */
  const sum = { stored: 0, unchanged: 0, skipped: 0, refused: [], ignored: [] };
  const ignored = new Set();
  let waiting = piecesOf(lines);
  for (let before = -1; waiting.length > 0 && sum.stored > before; ) {
    before = sum.stored;
    sum.refused = [];
    sum.skipped = 0;
    const again = [];
    for (const [index, piece] of waiting.entries()) {
      const report = await sendPiece(server, piece);
      sum.stored += report.stored;
      sum.unchanged += report.unchanged;
      sum.skipped += report.skipped;
      sum.refused.push(...report.refused);
      for (const name of report.ignored) ignored.add(name);
      if (report.refused.length > 0) again.push(piece);
      log(
        `sent ${index + 1} of ${waiting.length}: ${sum.stored} stored, ${sum.unchanged} unchanged`,
      );
    }
    waiting = again;
  }
  return { ...sum, ignored: [...ignored].sort() };
}
