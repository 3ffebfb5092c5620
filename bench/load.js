// `npm run load`: puts the Worker, as it is deployed, under load, and says whether it holds: no error, nothing lost, memory
// flat.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, readMigrations } from '../scripts/dev/database.js';
import { holdScreen } from '../scripts/dev/screen.js';
import { readOptions } from '../scripts/tool.js';
import { countVersions, makeGates, run, together } from './load/clients.js';
import { isFlat, liveMemory } from './load/memory.js';
import { quantile } from './measure.js';
import { bundleConsole, serve } from './workers.js';

const values = readOptions('npm run load takes: -- --seconds <number> --clients <number>', {
  seconds: { type: 'string', default: '20' },
  clients: { type: 'string', default: '64' },
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
  const at = (/** @type {number} */ share) => quantile(times, share).toFixed(1);
  const rate = (times.length / time).toFixed(0);
  return `${who}: ${rate} requests a second, median ${at(0.5)} ms, 99th percentile ${at(0.99)} ms; ${acknowledged} changes stored, ${refused} refused, ${errors.length} errors\n`;
}

const screen = holdScreen();
const folder = mkdtempSync(join(tmpdir(), 'load-'));
const { server, url } = await serve(await bundleConsole(folder), folder, { inspectorPort: 0 });
try {
  await migrate(await server.getD1Database('DB'), readMigrations());
  await makeGates(url);
  const before = await countVersions(url);
  const lasting = (/** @type {number} */ share) => Date.now() + seconds * 1000 * share;
  const one = await run(url, 1, lasting(alone));
  const first = await run(url, clients, lasting((1 - alone) / 2));
  const inspector = await server.getInspectorURL();
  const live = await liveMemory(inspector);
  const second = await run(url, clients, lasting((1 - alone) / 2));
  const growth = (await liveMemory(inspector)) - live;
  const after = await countVersions(url);
  const many = together(first, second);
  const all = together(one, many);
  const lost = [after.versions - before.versions, after.logged - before.logged].map(
    (stored) => all.acknowledged - stored,
  );
  screen.say(report('1 client', one, seconds * alone));
  screen.say(report(`${clients} clients`, many, seconds * (1 - alone)));
  screen.say(
    `memory: ${live.toFixed(1)} MB, and ${growth.toFixed(1)} MB more after the second half\n`,
  );
  screen.say(`changes lost: ${lost.join(' of versions, ')} of the audit log\n`);
  for (const error of all.errors.slice(0, 5)) screen.say(`${error}\n`);
  const holds = all.errors.length === 0 && lost.every((count) => count === 0) && isFlat(growth);
  screen.say(holds ? 'It holds.\n' : 'It does not hold.\n');
  process.exitCode = holds ? 0 : 1;
} finally {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
