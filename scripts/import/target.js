// What a project is written to: a server of this project, piece by piece.
import { ask } from './source.js';

/** How many entities, and bytes, go in one request: as many as may, since a server tells by itself what must come together. */
const [mostEntities, mostBytes] = [20_000, 10 * 1024 * 1024];

/** @typedef {{ place: string, kind: string, id: string, message: string }} Refusal */
/** @typedef {{ stored: number, unchanged: number, skipped: number, refused: Refusal[], ignored: string[] }} Report */

/**
 * How many entities a line has.
 * @param {string} line
 */
const entitiesOf = (line) => JSON.parse(line).data?.length ?? 1;

/**
 * Puts lines together into pieces.
 * @param {string[]} lines
 */
function piecesOf(lines) {
  /** @type {string[][]} */
  const pieces = [];
  let [entities, bytes] = [mostEntities, 0];
  for (const line of lines) {
    const [count, size] = [entitiesOf(line), Buffer.byteLength(line) + 1];
    entities += count;
    bytes += size;
    if (entities > mostEntities || bytes > mostBytes) {
      pieces.push([]);
      [entities, bytes] = [count, size];
    }
    pieces.at(-1)?.push(line);
  }
  return pieces;
}

/**
 * Sends one piece.
 * @param {import('./source.js').Server} server
 * @param {string[]} piece
 * @returns {Promise<Report>}
 */
async function sendPiece(server, piece) {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const body = piece.join('\n');
  const { ok, text } = await ask(server, '/console/v1/import', { method: 'POST', headers, body });
  if (!ok) throw new Error(`${server.origin} refused the import: ${text}`);
  return JSON.parse(text).data;
}

/**
 * Imports lines. A piece that refers to a later one is refused as a whole, and sent again after that, as long as
 * anything comes of it; what is there already stays as it is.
 * @param {import('./source.js').Server} server
 * @param {string[]} lines
 * @param {import('./source.js').Say} say
 * @returns {Promise<Report>}
 */
export async function writeProject(server, lines, say) {
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
      say(
        `sent ${index + 1} of ${waiting.length}: ${sum.stored} stored, ${sum.unchanged} unchanged`,
      );
    }
    waiting = again;
  }
  return { ...sum, ignored: [...ignored].sort() };
}
