// `npm test` runs all checks, then the tests of the Worker, the page and the files. `npm run test:tools` runs the tests of
// processes. Prints the counts; `npm test -- suite tools` prints those of both.
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, writeTypes } from './tool.js';

/** Tools with their arguments, which run in parallel before the tests. */
const checks = [
  ['biome', 'ci', '--error-on-warnings', '.'],
  // Several checkers would each infer the types of all routes, which is half of the work.
  ['tsc', '--checkers', '1'],
  ['tsc', '--checkers', '1', '-p', 'src/page'],
  ['knip'],
];

/**
 * The test projects of each suite, in rows that run in parallel. The first row of `suite` uses the CPU, the other mostly
 * waits for a browser.
 * @type {Record<string, string[][] | undefined>}
 */
const suites = { suite: [['workers'], ['page', 'rules', 'node']], tools: [['tools']] };

/** Three times the size of the temporary files of all tests. */
const tempSpaceBytes = 1e9;

/** Returns the folder in memory of Linux if it has enough space, otherwise the temporary folder of the system. */
function temporaryFiles() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > tempSpaceBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/**
 * Reports a failure.
 * @param {string} name
 * @param {string} output
 */
function fail(name, output) {
  process.stdout.write(`${output}\n${name} failed\n`);
  process.exitCode = 1;
}

/** @typedef {{ message: string, assertionResults: { status: string, fullName: string, failureMessages: string[] }[] }} FileResult */

/**
 * Returns the failures of a test file, each with its error; the error of the file if it did not load.
 * @param {FileResult} result
 */
const failuresOf = ({ message, assertionResults }) => [
  ...(message ? [message] : []),
  ...assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}\n${failureMessages.join('\n')}`),
];

/**
 * Returns the counts and failures of vitest; one failure if it crashed.
 * @param {string} file
 */
function resultsIn(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
      readFileSync(file, 'utf8'),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
      failures: testResults.flatMap(failuresOf),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, failures: ['vitest wrote no results'] };
  }
}

/**
 * Runs the tests of a project. The first of a suite writes to the screen directly, the others at the end.
 * @param {string} project
 */
async function runTests(project) {
  const file = `node_modules/.cache/results-${project}.json`;
  rmSync(file, { force: true });
  const args = ['run', `--project=${project}`, `--outputFile.json=${file}`];
  const { status, output } = await runTool('vitest', args, {
    // Tests create thousands of databases; on a disk, writing them is a fifth of the work.
    env: { TMPDIR: folder, WORKER: 'bundle' },
    show: ['workers', 'tools'].includes(project),
  });
  process.stdout.write(output);
  if (status !== 0) fail(`vitest of ${project}`, '');
  return resultsIn(file);
}

/**
 * Runs the tests of some projects one after another.
 * @param {string[]} row
 */
async function runRow(row) {
  const results = [];
  for (const project of row) results.push(await runTests(project));
  return results;
}

/**
 * Runs a check, prints its output, and returns whether it passed.
 * @param {string[]} check
 */
async function passes([name = '', ...args]) {
  const { status, output } = await runTool(name, args);
  process.stdout.write(output);
  if (status !== 0) fail([name, ...args].join(' '), '');
  return status === 0;
}

async function passesChecks() {
  const { status, output } = await writeTypes(); // the checks need them
  if (status !== 0) fail('wrangler types', output);
  return status === 0 && (await Promise.all(checks.map(passes))).every(Boolean);
}

/**
 * Runs the tests of a suite, after the checks that belong to the first.
 * @param {string} suite
 */
async function runSuite(suite) {
  const rows = suites[suite];
  if (!rows) throw new Error(`unknown suite: ${suite}`);
  if (suite === 'suite' && !(await passesChecks()))
    return [{ passed: 0, failed: 1, skipped: 0, failures: [] }];
  return (await Promise.all(rows.map(runRow))).flat();
}

const folder = mkdtempSync(join(temporaryFiles(), 'tests-'));
// On Ctrl+C, the tests end first and this removes their folder, which may be in memory.
process.once('SIGINT', () => {});
const wanted = process.argv.slice(2);
/** @type {ReturnType<typeof resultsIn>[]} */
const results = [];
for (const suite of wanted.length > 0 ? wanted : ['suite'])
  results.push(...(await runSuite(suite)));
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
  results.reduce((total, counts) => total + counts[what], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
// Repeated at the end, where one looks first.
for (const failure of results.flatMap(({ failures }) => failures))
  process.stdout.write(`\nFAIL ${failure}\n`);
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
