// Everything that proves the project, in one go: checks first, tests last, and a closing count.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';

const results = 'node_modules/.cache/results.json';

const steps = [
  ['biome', 'ci', '--error-on-warnings', '.'],
  ['wrangler', 'types'],
  ['tsc'],
  ['knip'],
  ['vitest', 'run'],
];

/**
 * Runs a command of node_modules/.bin, with its output shown.
 * @param {string[]} command
 */
function run([name = '', ...args]) {
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  };
  const { status } = spawnSync(`node_modules/.bin/${name}`, args, { stdio: 'inherit', env });
  return status === 0;
}

rmSync(results, { force: true });
for (const step of steps)
  if (!run(step)) {
    process.stdout.write(`\n${step.join(' ')} failed\n`);
    process.exitCode = 1;
    break;
  }

try {
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'));
  process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed\n`);
} catch {
  process.stdout.write('\n0 passed, 1 failed\n');
}
