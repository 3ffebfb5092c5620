// `npm run simulate`: simulates the statistics of results and prints how often each errs, with the accepted bounds. Ends
// with status 1 if a rate is out of bounds. `-- --seed <number>` draws other numbers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { readOptions } from './tool.js';

const { seed } = readOptions('npm run simulate takes: -- --seed <number>', {
  seed: { type: 'string', default: '1' },
});

const folder = mkdtempSync('node_modules/.simulation-');
try {
  const outfile = join(folder, 'table.cjs');
  const entry = 'test/statistics/simulation/table.ts';
  await build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile });
  const { simulate } = await import(pathToFileURL(outfile).href);
  const read = (/** @type {string} */ name) =>
    readFileSync(`test/statistics/golden/end_to_end/${name}.csv`, 'utf8');
  /** @type {{ figure: string, percent: number, accept: [number, number], runs: number, isAccepted: boolean }[]} */
  const rows = simulate({
    seed: Number(seed),
    share: 1,
    exposures: read('exposures'),
    events: read('events'),
  });
  for (const { figure, percent, accept, runs, isAccepted } of rows)
    process.stdout.write(
      `${percent.toFixed(2).padStart(6)}%  ${accept.join(' to ').padStart(12)}  ${String(runs).padStart(7)} runs  ${figure}${isAccepted ? '' : '  OUT OF BOUNDS'}\n`,
    );
  if (rows.some(({ isAccepted }) => !isAccepted)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
