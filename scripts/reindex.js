// `npm run reindex`: makes the scheduler rebuild all derived rows (references, totals, search words) within a minute, in
// the local database, another local one (`--persist-to`), or the deployed one (`--remote`).
import { readOptions, runTool } from './tool.js';

const usage = 'npm run reindex takes: -- --persist-to <folder>, or -- --remote';
const { remote = false, 'persist-to': folder } = readOptions(usage, {
  remote: { type: 'boolean' },
  'persist-to': { type: 'string' },
});
const all = 'insert or ignore into pending select distinct kind from revisions';
const local = folder === undefined ? ['--local'] : ['--local', '--persist-to', folder];
const { status, output } = await runTool('wrangler', [
  ...['d1', 'execute', 'DB', '--command', all, '--yes'],
  ...(remote ? ['--remote'] : local),
]);
process.stdout.write(
  status === 0
    ? 'All kinds will be reindexed within a minute.\n'
    : `${output}\nNothing was changed.\n`,
);
process.exitCode = status ?? 1;
