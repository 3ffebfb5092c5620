// `npm run load`: puts a local server of its own under load, and says whether it holds: no error, nothing lost, memory flat.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate, openDatabase, readMigrations } from './dev/database.js';
import { holdScreen } from './dev/screen.js';
import { startServer } from './dev/server.js';
import { caller, countVersions, makeGates, run } from './load/clients.js';
import { growth, isFlat, watchMemory } from './load/memory.js';
import { offline } from './tool.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    clients: { type: 'string', default: '64' },
  },
});
const [seconds, clients] = [Number(values.seconds), Number(values.clients)];

/** The share of the time in which one client is alone. */
const alone = 0.25;

/**
 * A line of the report.
 * @param {string} who
 * @param {import('./load/clients.js').Tally} tally
 * @param {number} time in seconds
 */
function report(who, { times, acknowledged, refused, errors }, time) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  const rate = (times.length / time).toFixed(0);
  return `${who}: ${rate} requests a second, median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms; ${acknowledged} changes stored, ${refused} refused, ${errors.length} errors\n`;
}

Object.assign(process.env, offline);
const screen = holdScreen();
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const { db, close } = await openDatabase(folder);
await migrate(db, await readMigrations()).finally(close);
const key = randomUUID();
const server = await startServer(folder, 0, { ROOT_API_KEY: key, CHANGE_LIMIT: 'none' });
try {
  const call = caller(`http://localhost:${await server.port()}`, key);
  await makeGates(call);
  const before = await countVersions(call);
  const one = await run(call, 1, Date.now() + seconds * 1000 * alone);
  const memory = watchMemory();
  const many = await run(call, clients, Date.now() + seconds * 1000 * (1 - alone));
  const sizes = memory();
  const after = await countVersions(call);
  const acknowledged = one.acknowledged + many.acknowledged;
  const lost = [after.versions - before.versions, after.logged - before.logged].map(
    (stored) => acknowledged - stored,
  );
  const errors = [...one.errors, ...many.errors];
  screen.say(report('1 client', one, seconds * alone));
  screen.say(report(`${clients} clients`, many, seconds * (1 - alone)));
  screen.say(`memory grew by ${growth(sizes).toFixed(0)} MB over the second half\n`);
  screen.say(`changes lost: ${lost.join(' of versions, ')} of the audit log\n`);
  for (const error of errors.slice(0, 5)) screen.say(`${error}\n`);
  const holds = errors.length === 0 && lost.every((count) => count === 0) && isFlat(sizes);
  screen.say(holds ? 'It holds.\n' : 'It does not hold.\n');
  process.exitCode = holds ? 0 : 1;
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
