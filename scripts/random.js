// `npm run model` and `npm run fuzz`: what the suite tries at random, for longer.
import { parseArgs } from 'node:util';
import { runTool } from './tool.js';

/** What can be tried: its test, and the variable that says how much. */
const known = {
  model: { variable: 'MODEL_STEPS', usual: '50000', option: 'steps' },
  fuzz: { variable: 'FUZZ_REQUESTS', usual: '200000', option: 'requests' },
};

const [name, ...args] = process.argv.slice(2);
const { variable, usual, option } = name === 'fuzz' ? known.fuzz : known.model;
const { values } = parseArgs({
  args,
  options: { [option]: { type: 'string' }, seed: { type: 'string' } },
});
const env = { [variable]: String(values[option] ?? usual), SEED: String(values.seed ?? '') };
const test = `test/${name === 'fuzz' ? 'fuzz' : 'model'}.test.ts`;
process.exitCode =
  runTool('vitest', ['run', '--project', 'workers', test], { env, show: true }).status ?? 1;
