// `npm run trial`: adds a resource to a copy of the project, on the model of assignment sources, counts the files that
// change beyond its own, and runs its tests. `--keep` keeps the copy.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readOptions, runTool } from './tool.js';

const { keep = false } = readOptions('npm run trial takes: -- --keep', {
  keep: { type: 'boolean' },
});

const maxEdits = 4;

const folder = mkdtempSync(join(tmpdir(), 'trial-'));

/** @param {string} cwd */
const filesIn = (cwd) =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(cwd, file)));

/** @param {string} file */
const read = (file) => readFileSync(join(folder, file), 'utf8');

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

/**
 * Inserts a line before another one.
 * @param {string} file
 * @param {string} before
 * @param {string} line
 */
function insert(file, before, line) {
  const text = read(file);
  if (!text.includes(before)) throw new Error(`${file} does not contain ${before}`);
  write(file, text.replace(before, `${line}\n${before}`));
}

/** Names of the model, and those of the new resource; longer ones first. */
const renames = [
  ['src/experiments/assignment_sources', 'src/data/data_sources'],
  ['experiments/assignment_sources', 'data_sources'],
  ['assignment_source', 'data_source'],
  ['assignmentSource', 'dataSource'],
  ['AssignmentSource', 'DataSource'],
  ['An assignment source', 'A data source'],
  ['Assignment source', 'Data source'],
  ['assignment source', 'data source'],
  ['IDTypeMapping', 'DataColumn'],
];

/** @param {string} text */
const renamed = (text) =>
  renames.reduce((result, [from = '', to = '']) => result.replaceAll(from, to), text);

const itsTest = `import { beforeEach, describe, expect, test } from 'vitest';
import { call, ok } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { exportProject } from '../support/transfer.ts';

describe('data sources', () => {
  beforeEach(emptyDatabase);

  test('are created, changed, deleted and restored', async () => {
    await ok('POST', 'data_sources', { name: 'orders', tags: ['core'] });
    expect(await ok('PATCH', 'data_sources/orders', { sql: 'select 1' })).toMatchObject({
      name: 'orders',
      sql: 'select 1',
      version: 2,
    });
    await ok('DELETE', 'data_sources/orders');
    expect((await call('GET', 'data_sources/orders')).status).toBe(404);
    await ok('PUT', 'data_sources/orders/versions/1/restore');
    expect(await ok('GET', 'data_sources?tags=core')).toHaveLength(1);
  });

  test('are exported', async () => {
    await ok('POST', 'data_sources', { name: 'orders' });
    expect(await exportProject()).toContain('{"kind":"data_source"');
  });
});
`;

const rows = [
  ['', 'GET, POST'],
  ['/{id}', 'GET, PATCH, DELETE'],
  ['/{id}/references', 'GET'],
  ['/{id}/versions', 'GET'],
  ['/{id}/versions/{version}', 'GET'],
  ['/{id}/versions/{version}/restore', 'PUT'],
].map(([path, methods]) => `| \`/data_sources${path}\` | ${methods} |\n`);

/** Adds the files of the resource, except its migration. */
function addFiles() {
  for (const file of filesIn('.').filter((path) =>
    path.startsWith('src/experiments/assignment_sources/'),
  ))
    write(renamed(file), renamed(read(file)));
  const page = renamed(read('src/page/kinds/assignment_sources.tsx'));
  const types = "from '../../data/data_sources/schema.ts'";
  write('src/page/kinds/data_sources.tsx', page.replace("from '../base/types.ts'", types));
  write('test/data/data_sources.test.ts', itsTest);
  write(
    join('docs/api', 'data_sources.md'),
    `# Data sources\n\n| Path below \`/console/v1\` | Methods |\n|---|---|\n${rows.join('')}`,
  );
}

/** Edits the files that know every resource. */
function edit() {
  const registry = "import { dataSourceResource } from './data/data_sources/resource.ts';";
  insert('src/registry.ts', 'import { eventResource }', registry);
  insert('src/registry.ts', '  layerResource,', '  dataSourceResource,');
  const page = "import { dataSources } from './data_sources.tsx';";
  insert('src/page/kinds/all.ts', 'import { dynamicConfigs }', page);
  insert('src/page/kinds/all.ts', '  keys,', '  dataSources,');
  const sample = "  ['POST', 'data_sources', { name: 'Orders', sql: 'select * from orders' }],";
  insert('drizzle/sample/index.js', "  ['POST', 'experiments/assignment_sources'", sample);
}

/**
 * Runs a command in the copy. Throws with its output if it fails.
 * @param {string} name
 * @param {string[]} args
 */
async function run(name, args) {
  process.stdout.write(`${name} ${args.join(' ')}\n`);
  const env = { NO_COLOR: '1' };
  const { status, output } = await runTool(name, args, { cwd: folder, env });
  if (status !== 0) throw new Error(output);
  const [summary] = output.match(/^ *Tests .*$/m) ?? [];
  if (summary) process.stdout.write(`${summary}\n`);
}

/**
 * @param {string} project
 * @param {string[]} args
 */
const runTests = (project, ...args) => run('vitest', ['run', '--project', project, ...args]);

try {
  const before = filesIn('.');
  for (const file of before) cpSync(file, join(folder, file), { recursive: true });
  cpSync('worker-configuration.d.ts', join(folder, 'worker-configuration.d.ts'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  addFiles();
  edit();
  const migration = [join(folder, 'scripts/migration.js'), '--name', 'data_sources'];
  execFileSync(process.execPath, migration, { cwd: folder });
  await runTests('node', 'test/contract/openapi', '-t', 'served OpenAPI document', '-u');
  const after = filesIn(folder);
  const own = after.filter((file) => !before.includes(file) && file !== 'node_modules');
  const edited = before.filter(
    (file) => !file.startsWith('drizzle/migrations/') && readFileSync(file, 'utf8') !== read(file),
  );
  process.stdout.write(`${own.length} files of its own:\n  ${own.join('\n  ')}\n`);
  process.stdout.write(`${edited.length} other files:\n  ${edited.join('\n  ')}\n`);
  await run('biome', [
    'check',
    '--write',
    '--vcs-enabled=false',
    ...own.filter((file) => /\.tsx?$/.test(file)),
  ]);
  await run('tsc', ['--noEmit']);
  await run('tsc', ['--noEmit', '-p', 'src/page']);
  await runTests(
    'node',
    ...['architecture', 'documents', 'migration_files'].map((name) => `test/tools/${name}`),
  );
  await runTests('workers', 'test/data/data_sources', 'test/store/model', 'test/tools/sample');
  const all = [
    ...['contract/operations', 'limits/cost'],
    ...['store/writes', 'store/history', 'project/transfer'],
  ];
  const rules = ['contract', 'headers', 'http', 'paths', 'scopes'];
  await runTests('workers', ...rules.map((name) => `test/contract/${name}`));
  await runTests('workers', ...all.map((name) => `test/${name}`), '-t', 'data.source');
  if (edited.length > maxEdits) throw new Error(`more than ${maxEdits} other files changed`);
} finally {
  if (keep) process.stdout.write(`The copy is ${folder}\n`);
  else rmSync(folder, { recursive: true });
}
