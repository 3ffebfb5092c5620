// Everything that proves the project, in one go: checks first, tests last, and a closing count.
import { readFileSync, rmSync } from 'node:fs';
import { runTool, writeTypes } from './tool.js';

const results = 'node_modules/.cache/results.json';

/**
 * A step that runs a tool, with its output shown.
 * @param {string} name
 * @param {string[]} args
 */
const tool = (name, ...args) => ({
  name: [name, ...args].join(' '),
  run: () => runTool(name, args, { show: true }),
});

const steps = [
  tool('biome', 'ci', '--error-on-warnings', '.'),
  { name: 'wrangler types', run: () => writeTypes() },
  tool('tsc'),
  tool('tsc', '-p', 'src/page'),
  tool('knip'),
  tool('vitest', 'run'),
];

rmSync(results, { force: true });
for (const { name, run } of steps) {
  const { status, output } = run();
  if (status === 0) continue;
  process.stdout.write(`${output}\n${name} failed\n`);
  process.exitCode = 1;
  break;
}

try {
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
    readFileSync(results, 'utf8'),
  );
  if (numPendingTests > 0) process.stdout.write(`\n${numPendingTests} skipped\n`);
  process.stdout.write(`\n${numPassedTests} passed, ${numFailedTests} failed\n`);
} catch {
  process.stdout.write('\n0 passed, 1 failed\n');
}
