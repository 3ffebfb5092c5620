// `npm run model`, `fuzz` and `bodies`: what the suite tries at random, otherwise each time, and for longer.
import { readOptions, runTool } from './tool.js';

/** What can be tried: how much is usual, and the variable and the option that say so. */
const known = {
  model: { variable: 'MODEL_STEPS', usual: '50000', option: 'steps' },
  fuzz: { variable: 'FUZZ_REQUESTS', usual: '200000', option: 'requests' },
  bodies: { variable: 'BODIES', usual: '50', option: 'bodies' },
};

const [name = 'model', ...args] = process.argv.slice(2);
const { variable, usual, option } = Object(known)[name];
/** @type {Record<string, string | boolean | undefined>} */
const values = readOptions(
  `npm run ${name} takes: -- --${option} <number> --seed <number>`,
  { [option]: { type: 'string' }, seed: { type: 'string' } },
  args,
);
const env = {
  [variable]: String(values[option] ?? usual),
  SEED: String(values.seed ?? Math.floor(Math.random() * 2 ** 31)),
};
// What is tried for longer takes longer than a test of the suite may: an hour.
const run = ['run', '--project', 'workers', '--testTimeout', '3600000', `test/${name}.test.ts`];
const { status } = await runTool('vitest', run, { env, show: true });
process.exitCode = status ?? 1;
