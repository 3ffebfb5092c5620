// `npm run import -- --from <url> --key <key>`: copies a project from any server that speaks this API. What was read is kept
// in a folder until all of it is written, so that it can be stopped and gone on with.
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rootKey } from './dev/variables.js';
import { forget, readProject } from './import/source.js';
import { writeProject } from './import/target.js';
import { readOptions } from './tool.js';

const usage = `npm run import takes: -- --from <url> --key <key>
  --header <name>    what the server calls the header of the key; SERVICE-API-KEY where absent
  --to <url>         where to write; http://localhost:8787 where absent
  --to-key <key>     the key there, with the scope admin; that of .dev.vars where absent
  --folder <folder>  where to keep what was read until it is written; .wrangler/import where absent`;

const text = /** @type {const} */ ({ type: 'string' });

function readSource() {
  const options = { from: text, key: text, header: text, to: text, 'to-key': text, folder: text };
  const { from, key, ...others } = readOptions(usage, options);
  const isPlace = (/** @type {string | undefined} */ url) =>
    url === undefined || (/^https?:/i.test(url) && URL.canParse(url)); // `localhost:8787` is one, of another scheme
  if (from && key && isPlace(from) && isPlace(others.to)) return { ...others, from, key };
  process.stderr.write(`${usage}\n`);
  return process.exit(1);
}

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const originOf = (/** @type {string} */ url) => new URL(url).origin;

async function copy() {
  const { from, key, header = 'SERVICE-API-KEY', ...options } = readSource();
  const source = { origin: originOf(from), key, header };
  const to = originOf(options.to ?? 'http://localhost:8787');
  const target = { origin: to, key: options['to-key'] ?? rootKey('.'), header: 'SERVICE-API-KEY' };
  // A server may have many projects, of which the key says which.
  const project = createHash('sha256').update(key).digest('hex').slice(0, 16);
  const name = `${new URL(from).host.replace(':', '_')}_${project}`;
  const folder = join(options.folder ?? '.wrangler/import', name);
  mkdirSync(folder, { recursive: true });
  const lines = await readProject(source, folder, say);
  const { stored, unchanged, skipped, refused, ignored } = await writeProject(target, lines, say);
  for (const { kind, id, message } of refused) say(`refused: ${kind} ${id}: ${message}`);
  if (ignored.length > 0) say(`ignored: ${ignored.join(', ')}`);
  say(`${stored} stored, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`);
  if (refused.length > 0) process.exitCode = 1;
  forget(folder); // also where something is refused: it may be mended where it was read
}

copy().catch((/** @type {Error} */ { message }) => {
  process.stderr.write(`${message}\nSend the same again to go on.\n`);
  process.exitCode = 1;
});
