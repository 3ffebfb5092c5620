// `npm run reindex`: has the derived rows (references, totals, what is searched) of all kinds made again, by the scheduler
// within a minute. Options go to wrangler: `--remote` for the deployed database, `--persist-to` for a local one elsewhere.
import { runTool } from './tool.js';

const options = process.argv.slice(2);
const all = 'insert or ignore into pending select distinct kind from revisions';
const place = options.includes('--remote') ? [] : ['--local'];
const { status, output } = runTool('wrangler', [
  ...['d1', 'execute', 'DB', '--command', all, '--yes'],
  ...place,
  ...options,
]);
process.stdout.write(
  status === 0
    ? 'All kinds will be reindexed within a minute.\n'
    : `${output}\nNothing was changed.\n`,
);
process.exitCode = status ?? 1;
