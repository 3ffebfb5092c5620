// `npm run load`: puts the deployed bundle under load, and checks that there are no errors, no lost changes, and no growth
// of memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, readMigrations } from '../scripts/dev/database.js';
import { holdScreen } from '../scripts/dev/screen.js';
import { readOptions } from '../scripts/tool.js';
import { combined, countVersions, makeGates, run } from './load/clients.js';
import { isFlat, liveMemory } from './load/memory.js';
import { quantile } from './measure.js';
import { bundleConsole, serve } from './workers.js';

const values = readOptions('npm run load takes: -- --seconds <number> --clients <number>', {
  seconds: { type: 'string', default: '20' },
  clients: { type: 'string', default: '64' },
});
const [seconds, clients] = [Number(values.seconds), Number(values.clients)];

/** The share of the time with a single client. */
const singleShare = 0.25;

/**
 * Returns a line of the report.
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
  const until = (/** @type {number} */ share) => Date.now() + seconds * 1000 * share;
  const one = await run(url, 1, until(singleShare));
  const first = await run(url, clients, until((1 - singleShare) / 2));
  const inspector = await server.getInspectorURL();
  const live = await liveMemory(inspector);
  const second = await run(url, clients, until((1 - singleShare) / 2));
  const growth = (await liveMemory(inspector)) - live;
  const after = await countVersions(url);
  const many = combined(first, second);
  const all = combined(one, many);
  const lost = [after.versions - before.versions, after.logged - before.logged].map(
    (stored) => all.acknowledged - stored,
  );
  screen.write(report('1 client', one, seconds * singleShare));
  screen.write(report(`${clients} clients`, many, seconds * (1 - singleShare)));
  screen.write(
    `memory: ${live.toFixed(1)} MB, and ${growth.toFixed(1)} MB more after the second half\n`,
  );
  screen.write(`changes lost: ${lost.join(' of versions, ')} of the audit log\n`);
  for (const error of all.errors.slice(0, 5)) screen.write(`${error}\n`);
  const hasPassed = all.errors.length === 0 && lost.every((count) => count === 0) && isFlat(growth);
  screen.write(hasPassed ? 'Passed.\n' : 'Failed.\n');
  process.exitCode = hasPassed ? 0 : 1;
} finally {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
