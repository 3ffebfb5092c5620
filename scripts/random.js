// `npm run model`, `fuzz`, `bodies` and `analysis`: runs a test of the suite for longer, a random one with a new seed.
import { readOptions, runTool } from './tool.js';

/** @type {Record<string, { variable: string, usual: string, option: string, file: string } | undefined>} */
const tests = {
  model: { variable: 'MODEL_STEPS', usual: '50000', option: 'steps', file: 'store/model' },
  fuzz: { variable: 'FUZZ_REQUESTS', usual: '200000', option: 'requests', file: 'contract/fuzz' },
  bodies: { variable: 'BODIES', usual: '50', option: 'bodies', file: 'contract/bodies' },
  analysis: { variable: 'ANALYSIS_DAYS', usual: '14', option: 'days', file: 'analysis/robust' },
};

const [name = 'model', ...args] = process.argv.slice(2);
const test = tests[name];
if (!test) throw new Error(`unknown test: ${name}`);
const { variable, usual, option, file } = test;
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
// 3,600,000 ms: a long run exceeds the timeout of the suite.
const run = ['run', '--project', 'workers', '--testTimeout', '3600000', `test/${file}.test.ts`];
const { status } = await runTool('vitest', run, { env, show: true });
process.exitCode = status ?? 1;
