// `npm run migration -- --name <name>`: generates a migration from the tables in the code, or with `--custom` an empty
// one, and removes the snapshots of earlier migrations, which drizzle-kit does not read. `MIGRATIONS` names another folder
// than drizzle/migrations.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOptions, runTool } from './tool.js';

const usage = 'npm run migration takes: -- --name <name> [--custom]';

/** The statement that creates a table, as drizzle-kit writes it. */
const table = /^CREATE TABLE `\w+` \([^;]*?\n\);/gm;

/**
 * Makes the tables of a migration STRICT, and WITHOUT ROWID unless an integer is their key.
 * @param {string} sql
 */
const strictTables = (sql) =>
  sql.replace(table, (statement) => {
    const isByRowid = statement.includes('` integer PRIMARY KEY');
    return statement.replace(/\);$/, isByRowid ? ') STRICT;' : ') STRICT, WITHOUT ROWID;');
  });

const { name, custom = false } = readOptions(usage, {
  name: { type: 'string' },
  custom: { type: 'boolean' },
});
if (name === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exit(1);
}
const folder = process.env.MIGRATIONS ?? 'drizzle/migrations';
const files = () => readdirSync(folder).filter((file) => file.endsWith('.sql'));
const before = files();
const args = ['generate', '--name', name, ...(custom ? ['--custom'] : [])];
const { status } = await runTool('drizzle-kit', args, { show: true });
for (const file of files().filter((one) => !before.includes(one))) {
  const path = join(folder, file);
  writeFileSync(path, strictTables(readFileSync(path, 'utf8')));
}
const meta = join(folder, 'meta');
const snapshots = readdirSync(meta).filter((file) => file.endsWith('_snapshot.json'));
for (const file of snapshots.sort().slice(0, -1)) rmSync(join(meta, file));
process.exitCode = status ?? 1;
