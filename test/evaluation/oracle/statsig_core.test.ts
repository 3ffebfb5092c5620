import { afterAll, expect, test } from 'vitest';
import { memberOf } from '../../../src/base/value_types.ts';
import { compileSpec, unboundedScope } from '../../../src/engine/evaluation/compile.ts';
import { everything } from '../support/everything.ts';
import { compareOperators, type Known } from '../support/matrix.ts';
import { answerFor, compareUsers } from '../support/parity.ts';
import { randomFrom } from '../support/random.ts';
import { statsigCore } from '../support/statsig_core.ts';
import { generateUser } from '../support/users.ts';

const project = compileSpec(everything, unboundedScope);

/** Undefined if the SDK has no native binary for this machine. Its tests are skipped then. */
const oracle = await statsigCore(project);
afterAll(() => oracle?.shutdown());

const comparison = 'compared with statsig-node-core, if it has a binary,';

test.runIf(oracle)(`${comparison} 300 users get equal values of everything`, () => {
  if (!oracle) return;
  const { cells, differences } = compareUsers(project, oracle, { users: 300, seed: 4 });
  expect(differences.slice(0, 3)).toEqual([]);
  expect(cells).toBeGreaterThan(300 * 200);
});

test.runIf(oracle)(`${comparison} param stores are equal, with each hash of names`, () => {
  const user = generateUser(randomFrom(5));
  for (const hash of ['none', 'djb2', 'sha256'] as const) {
    const theirs = memberOf(oracle?.of(user).initialize(hash), 'param_stores');
    expect(answerFor(project, user, hash).param_stores).toEqual(theirs);
  }
});

const known: Known[] = [
  [
    'it treats a missing value as ""',
    ({ target, value }) =>
      Array.isArray(target) && target[0] === '' && (value === undefined || value === null),
  ],
  [
    'it matches long texts',
    ({ operator, value }) => operator === 'str_matches' && String(value).length >= 1000,
  ],
  [
    'it parses only times in UTC comparison a fraction',
    ({ operator, value }) =>
      ['before', 'after', 'on'].includes(operator) &&
      typeof value === 'string' &&
      /^\d{4}-/.test(value) &&
      !/^.{19}Z$/.test(value),
  ],
];

test.runIf(oracle)(`${comparison} operators are equal, except for known differences`, async () => {
  const { unknown, unseen } = await compareOperators(async (given) => {
    const other = await statsigCore(given);
    if (!other) throw new Error('It was there before.');
    return other;
  }, known);
  expect({ unknown, unseen }).toEqual({ unknown: [], unseen: [] });
});
