import { expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../../src/engine/evaluation/compile.ts';
import { everything } from '../support/everything.ts';
import { type Comparison, compareUsers } from '../support/parity.ts';
import { statsigCore } from '../support/statsig_core.ts';
import { statsigNode } from '../support/statsig_node.ts';

/** For long runs: `npm run parity -- --users 100000`. The test suite has a short one for each SDK. */
const users = Number(process.env.PARITY_USERS ?? 0);
const seed = Number(process.env.PARITY_SEED ?? 1);

const tell = (name: string, { users, cells, differences }: Comparison) =>
  process.stdout.write(
    `${name}: ${users} users, ${cells} cells, ${differences.length} differences\n`,
  );

test.runIf(users > 0).each([
  ['statsig-node', statsigNode],
  ['statsig-node-core', statsigCore],
])(
  '%s and the service agree for the requested number of users',
  { timeout: 0 },
  async (name, oracleOf) => {
    const project = compileSpec(everything, unboundedScope);
    const oracle = await oracleOf(project);
    if (!oracle) return void process.stdout.write(`${name}: has no binary for this machine\n`);
    const comparison = compareUsers(project, oracle, { users, seed }, (so_far) => {
      if (so_far.users % 1000 === 999) tell(name, so_far);
    });
    tell(name, comparison);
    await oracle.shutdown();
    expect(comparison.differences.slice(0, 10)).toEqual([]);
  },
);
