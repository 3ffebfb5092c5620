// `npm run parity -- --users 100000`: evaluates a project for generated users, here and with the public SDKs, and counts
// the differences. `--seed` generates other users.
import { readOptions, runTool } from './tool.js';

const values = readOptions('npm run parity takes: -- --users <number> --seed <number>', {
  users: { type: 'string', default: '10000' },
  seed: { type: 'string', default: '1' },
});

const file = 'test/evaluation/oracle/parity.test.ts';
const options = ['--project=node', '--reporter=default', '--disable-console-intercept=true'];
const env = { PARITY_USERS: values.users, PARITY_SEED: values.seed };
const { status } = await runTool('vitest', ['run', file, ...options], { env, show: true });
process.exitCode = status ?? 1;
