// Everything that proves the project, in one go: checks first, tests last, and a closing count.
import { readFileSync, rmSync } from 'node:fs';
import { runBeside, runTool, writeTypes } from './tool.js';

/**
 * A check that runs a tool, with its output shown.
 * @param {string} name
 * @param {string[]} args
 */
const tool = (name, ...args) => ({
  name: [name, ...args].join(' '),
  run: () => runTool(name, args, { show: true }),
});

const checks = [
  tool('biome', 'ci', '--error-on-warnings', '.'),
  { name: 'wrangler types', run: () => writeTypes() },
  tool('tsc'),
  tool('tsc', '-p', 'src/page'),
  tool('knip'),
];

/** The projects of the tests, in two halves that take about as long as each other and run side by side. */
const halves = [['workers'], ['node', 'page']];

/**
 * Says that something failed, and with what output.
 * @param {string} name
 * @param {string} output
 */
function fail(name, output) {
  process.stdout.write(`${output}\n${name} failed\n`);
  process.exitCode = 1;
}

/**
 * What vitest counted; one failure where it ended before.
 * @param {string} file
 */
function countsIn(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

/**
 * Runs the tests of some projects; those of the first half are seen at once, the others at their end.
 * @param {string[]} projects
 */
async function runHalf(projects) {
  const file = `node_modules/.cache/results-${projects.join('-')}.json`;
  rmSync(file, { force: true });
  const args = projects.map((name) => `--project=${name}`);
  const { status, output } = await runBeside(
    'vitest',
    ['run', ...args, `--outputFile.json=${file}`],
    { show: projects === halves[0] },
  );
  process.stdout.write(output);
  if (status !== 0) fail(`vitest of ${projects.join(' and ')}`, '');
  return countsIn(file);
}

const broken = checks.find(({ name, run }) => {
  const { status, output } = run();
  if (status !== 0) fail(name, output);
  return status !== 0;
});
const counts = broken
  ? [{ passed: 0, failed: 1, skipped: 0 }]
  : await Promise.all(halves.map(runHalf));

const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
  counts.reduce((total, count) => total + count[what], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
