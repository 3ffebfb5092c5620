import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '../../../src/base/value_types.ts';
import { compileSpec, unboundedScope } from '../../../src/engine/evaluation/compile.ts';
import { base64Hash, djb2 } from '../../../src/engine/evaluation/hash.ts';
import { everything } from '../support/everything.ts';
import { compareOperators, type Known } from '../support/matrix.ts';
import { answerFor, compareUsers, type Oracle } from '../support/parity.ts';
import { randomFrom } from '../support/random.ts';
import { statsigNode } from '../support/statsig_node.ts';
import { generateUser } from '../support/users.ts';

const project = compileSpec(everything, unboundedScope);

/**
 * Rules that decide for no user: of disabled holdouts and gates, without matching users, or after a rule that matches
 * all.
 */
const canBeIdle = new RegExp(
  [
    ...[' held_off$', '^asking_off off', '^theme_hold holdout', '^in_environments nowhere'],
    ...['^assignment_stopped.*(control|test|third|argeting.*)$', ' layerAssignment$', ':no_users '],
    ...['^c_time_', '^c_target_app_', '^c_custom_field_plan_'],
  ].join('|'),
);

describe('compared with statsig-node on the same spec,', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await statsigNode(project);
  });
  afterAll(() => oracle.shutdown());

  // 340 users reach every rule; `npm run parity` runs more.
  test('1,000 users get the same value, rule, group and exposures of everything', () => {
    const { cells, differences, decided } = compareUsers(project, oracle, { users: 1000 });
    expect(differences.slice(0, 3)).toEqual([]);
    expect(cells).toBeGreaterThan(1000 * 200);
    const specs = [...project.gates.values(), ...project.configs.values()];
    const rules = specs.flatMap(({ name, rules }) => rules.map(({ id }) => `${name} ${id}`));
    const idle = rules.filter((each) => !decided.has(each) && !canBeIdle.test(each));
    expect(idle).toEqual([]);
  });

  /** An archived gate that another depends on: SDKs list it, the service does not. */
  const archived = { none: 'gone', djb2: djb2('gone'), sha256: base64Hash('gone') };

  test.each(['none', 'djb2', 'sha256'] as const)(
    'whole responses are equal with names by %s',
    (hash) => {
      const random = randomFrom(2);
      for (let count = 0; count < 20; count++) {
        const user = generateUser(random);
        const { param_stores: _unknown, ...ours } = answerFor(project, user, hash);
        const {
          generator: _g,
          sdkInfo: _s,
          user: _u,
          ...theirs
        } = recordOf(oracle.of(user).initialize(hash));
        const { [archived[hash]]: unlisted, ...feature_gates } = recordOf(theirs.feature_gates);
        expect({ ...theirs, feature_gates }).toEqual(ours);
        expect(unlisted).toMatchObject({ value: false, rule_id: 'disabled' });
      }
    },
  );

  test.each([
    { environments: ['production'], targetAppID: null },
    { environments: null, targetAppID: 'web' },
    { environments: ['staging', 'development'], targetAppID: 'ios' },
  ])('users of a key get equal values: %j', async (key) => {
    const narrow = compileSpec(everything, key);
    const theirs = await statsigNode(narrow);
    const { differences } = compareUsers(narrow, theirs, { users: 50, seed: 3 });
    await theirs.shutdown();
    expect(differences.slice(0, 3)).toEqual([]);
  });
});

const numbers = ['gt', 'gte', 'lt', 'lte'];

/** Known differences of the SDK's operators. */
const known: Known[] = [
  [
    'it treats a missing value as the text "undefined"',
    ({ operator, value }) =>
      ['any', 'none'].includes(operator) && (value === undefined || value === null),
  ],
  [
    'it converts blanks, booleans and arrays of one element to numbers',
    ({ operator, value }) =>
      numbers.includes(operator) &&
      (typeof value === 'boolean' || Array.isArray(value) || String(value).trim() === ''),
  ],
  [
    'it does not accept a number as a version',
    ({ operator, value }) => operator.startsWith('version') && typeof value === 'number',
  ],
  [
    'it finds an element only with its own type',
    ({ operator, value }) =>
      operator.includes('array') &&
      Array.isArray(value) &&
      value.some((element) => element === '5' || element === true),
  ],
];

test('all operators equal those of statsig-node, except for known differences', async () => {
  const { cells, unknown, unseen } = await compareOperators(statsigNode, known);
  expect({ unknown, unseen }).toEqual({ unknown: [], unseen: [] });
  expect(cells).toBeGreaterThan(1400);
});
