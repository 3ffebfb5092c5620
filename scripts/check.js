// `npm run check`: checks the types, the format of changed files, and the tests that a change concerns.
import { execFileSync } from 'node:child_process';
import { readOptions, runTool } from './tool.js';

const { since = 'HEAD' } = readOptions('npm run check takes: -- --since <commit>', {
  since: { type: 'string' },
});

/**
 * Returns the files that git lists.
 * @param {string[]} args
 */
const list = (...args) =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const changed = [
  ...list('diff', '--name-only', '--diff-filter=d', since),
  ...list('ls-files', '--others', '--exclude-standard'),
];

/**
 * Returns the arguments of `tsc` that let it check again only what has changed since its last run.
 * @param {string} project
 */
const typesOf = (project) => [
  ...['tsc', '-p', project, '--incremental'],
  ...['--tsBuildInfoFile', `node_modules/.cache/check-${project.replaceAll('/', '-')}.json`],
];

/** Tools with their arguments, which run in parallel. */
const checks = [
  ['biome', 'check', '--error-on-warnings', '--no-errors-on-unmatched', ...changed],
  typesOf('tsconfig.json'),
  typesOf('src/page/tsconfig.json'),
  ['vitest', 'run', '--passWithNoTests', '--changed', since],
];

/**
 * Runs a tool, and prints its output if it fails or tests.
 * @param {string[]} check
 */
async function passes([name = '', ...args]) {
  const { status, output } = await runTool(name, args);
  if (status !== 0 || name === 'vitest') process.stdout.write(output);
  if (status !== 0) process.stdout.write(`${name} failed\n`);
  return status === 0;
}

if (changed.length === 0) process.stdout.write(`Nothing has changed since ${since}.\n`);
else if (!(await Promise.all(checks.map(passes))).every(Boolean)) process.exitCode = 1;
