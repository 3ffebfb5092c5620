// `npm run import -- --from <url> --key <key>`: copies a project from any server with this API. Downloaded pages stay in
// a folder until all of them are written, so that an interrupted import can continue.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rootKey } from './dev/variables.js';
import { readProject, removeDownload } from './import/source.js';
import { writeProject } from './import/target.js';
import { readOptions } from './tool.js';

const usage = `npm run import takes: -- --from <url> --key <key>
  --header <name>    the header of the key on that server; default: SERVICE-API-KEY
  --to <url>         the server to write to; default: http://localhost:8787
  --to-key <key>     the key there, with the scope admin; default: the key in .dev.vars
  --folder <folder>  the folder for downloaded data; default: .wrangler/import`;

const text = /** @type {const} */ ({ type: 'string' });

function readSource() {
  const options = { from: text, key: text, header: text, to: text, 'to-key': text, folder: text };
  const { from, key, ...others } = readOptions(usage, options);
  const isURL = (/** @type {string | undefined} */ url) =>
    url === undefined || (/^https?:/i.test(url) && URL.canParse(url)); // `localhost:8787` parses as a URL with the scheme `localhost`
  if (from && key && isURL(from) && isURL(others.to)) return { ...others, from, key };
  process.stderr.write(`${usage}\n`);
  return process.exit(1);
}

const log = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const originOf = (/** @type {string} */ url) => new URL(url).origin;

async function copy() {
  const { from, key, header = 'SERVICE-API-KEY', ...options } = readSource();
  const source = { origin: originOf(from), key, header };
  const to = originOf(options.to ?? 'http://localhost:8787');
  const target = { origin: to, key: options['to-key'] ?? rootKey('.'), header: 'SERVICE-API-KEY' };
  // A server may have many projects; the key selects one.
  const project = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const name = `${new URL(from).host.replace(':', '_')}_${project}`;
  const folder = join(options.folder ?? '.wrangler/import', name);
  mkdirSync(folder, { recursive: true });
  const lines = await readProject(source, folder, log);
  const { stored, unchanged, skipped, refused, ignored } = await writeProject(target, lines, log);
  for (const { kind, id, message } of refused) log(`refused: ${kind} ${id}: ${message}`);
  if (ignored.length > 0) log(`ignored: ${ignored.join(', ')}`);
  log(`${stored} stored, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`);
  if (refused.length > 0) process.exitCode = 1;
  removeDownload(folder); // even after a refusal: the next import downloads the corrected source
}

copy().catch((/** @type {Error} */ { message }) => {
  process.stderr.write(`${message}\nRun the same command again to continue.\n`);
  process.exitCode = 1;
});
