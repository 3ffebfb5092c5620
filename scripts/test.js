// Everything that proves the project, in one go: checks first, tests last, and a closing count.
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool, writeTypes } from './tool.js';

/** What is checked before anything is tested: tools, each with its arguments, which run side by side. */
const checks = [
  ['biome', 'ci', '--error-on-warnings', '.'],
  // Each checker of several would find out anew what types the routes have: half of all the work.
  ['tsc', '--checkers', '1'],
  ['tsc', '--checkers', '1', '-p', 'src/page'],
  ['knip'],
];

/** The projects of the tests, which run side by side; the others wait for servers and a browser, the first for nothing. */
const projects = ['workers', 'node', 'page'];

/** More bytes than the temporary files of all tests take at a time: three times as many. */
const roomForTests = 1e9;

/** Where temporary files are in memory, on Linux, where that has room; else where the system has them. */
function temporaryFiles() {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomForTests ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

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
 * Runs the tests of a project; those of the first are seen at once, the others at their end.
 * @param {string} project
 */
async function runTests(project) {
  const file = `node_modules/.cache/results-${project}.json`;
  rmSync(file, { force: true });
  const args = ['run', `--project=${project}`, `--outputFile.json=${file}`];
  const { status, output } = await runTool('vitest', args, {
    // Thousands of databases: on a disk, a fifth of all the work is to write them.
    env: { TMPDIR: folder },
    show: project === projects[0],
  });
  process.stdout.write(output);
  if (status !== 0) fail(`vitest of ${project}`, '');
  return countsIn(file);
}

/**
 * Runs a check to its end, and shows what it says; answers whether it passed.
 * @param {string[]} check
 */
async function passes([name = '', ...args]) {
  const { status, output } = await runTool(name, args);
  process.stdout.write(output);
  if (status !== 0) fail([name, ...args].join(' '), '');
  return status === 0;
}

/** Whether everything is as it must be for tests to be worth their time. */
async function passesChecks() {
  const { status, output } = await writeTypes(); // which the checks read
  if (status !== 0) fail('wrangler types', output);
  return status === 0 && (await Promise.all(checks.map(passes))).every(Boolean);
}

const folder = mkdtempSync(join(temporaryFiles(), 'tests-'));
// Ctrl+C ends the tests, and this after them: what they leave in memory would stay there.
process.once('SIGINT', () => {});
const counts = (await passesChecks())
  ? await Promise.all(projects.map(runTests))
  : [{ passed: 0, failed: 1, skipped: 0 }];
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ what) =>
  counts.reduce((total, count) => total + count[what], 0);
const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
