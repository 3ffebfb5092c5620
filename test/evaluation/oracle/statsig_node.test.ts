import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compile, unbounded } from '../../../src/evaluation/compile.ts';
import { base64Hash, djb2 } from '../../../src/evaluation/hash.ts';
import { everything } from '../support/everything.ts';
import { compareOperators, type Known } from '../support/matrix.ts';
import { answerFor, compareUsers, type Oracle } from '../support/parity.ts';
import { randomFrom } from '../support/random.ts';
import { statsigNode } from '../support/statsig_node.ts';
import { generateUser } from '../support/users.ts';

const project = compile(everything, unbounded);

/** Rules that decide for nobody: of holdouts and gates that are off, of what nobody is in, or after what all are in. */
const canBeIdle = new RegExp(
  [
    ...[' held_off$', '^asking_off off', '^theme_hold holdout', '^in_environments nowhere'],
    ...['^assignment_stopped.*(control|test|third|argeting.*)$', ' layerAssignment$', ':no_users '],
    ...['^c_time_', '^c_target_app_', '^c_custom_field_plan_'],
  ].join('|'),
);

describe('beside statsig-node, on the same spec,', () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await statsigNode(project);
  });
  afterAll(() => oracle.shutdown());

  // The first 340 have come to each rule; `npm run parity` asks for more.
  test('1,000 users get the same value, rule, group and exposures of everything', () => {
    const { cells, differences, decided } = compareUsers(project, oracle, { users: 1000 });
    expect(differences.slice(0, 3)).toEqual([]);
    expect(cells).toBeGreaterThan(1000 * 200);
    const specs = [...project.gates.values(), ...project.configs.values()];
    const rules = specs.flatMap(({ name, rules }) => rules.map(({ id }) => `${name} ${id}`));
    const idle = rules.filter((each) => !decided.has(each) && !canBeIdle.test(each));
    expect(idle).toEqual([]);
  });

  /** A gate that is archived though another asks it: SDKs list it, we do not. */
  const archived = { none: 'gone', djb2: djb2('gone'), sha256: base64Hash('gone') };

  test.each(['none', 'djb2', 'sha256'] as const)('whole answers are equal: names by %s', (hash) => {
    const random = randomFrom(2);
    for (let count = 0; count < 20; count++) {
      const user = generateUser(random);
      const { param_stores: _unknown, ...ours } = answerFor(project, user, hash);
      const {
        generator: _g,
        sdkInfo: _s,
        user: _u,
        ...theirs
      } = Object(oracle.of(user).initialize(hash));
      const { [archived[hash]]: unlisted, ...feature_gates } = theirs.feature_gates;
      expect({ ...theirs, feature_gates }).toEqual(ours);
      expect(unlisted).toMatchObject({ value: false, rule_id: 'disabled' });
    }
  });

  test.each([
    { environments: ['production'], targetAppID: null },
    { environments: null, targetAppID: 'web' },
    { environments: ['staging', 'development'], targetAppID: 'ios' },
  ])('users of a key get the same: %j', async (key) => {
    const narrow = compile(everything, key);
    const theirs = await statsigNode(narrow);
    const { differences } = compareUsers(narrow, theirs, { users: 50, seed: 3 });
    await theirs.shutdown();
    expect(differences.slice(0, 3)).toEqual([]);
  });
});

const numbers = ['gt', 'gte', 'lt', 'lte'];

/** Where its operators are not the saner ones. */
const known: Known[] = [
  [
    'it takes a missing value for the text "undefined"',
    ({ operator, value }) =>
      ['any', 'none'].includes(operator) && (value === undefined || value === null),
  ],
  [
    'it takes blanks, booleans and lists of one for numbers',
    ({ operator, value }) =>
      numbers.includes(operator) &&
      (typeof value === 'boolean' || Array.isArray(value) || String(value).trim() === ''),
  ],
  [
    'it takes no number for a version',
    ({ operator, value }) => operator.startsWith('version') && typeof value === 'number',
  ],
  [
    'it finds an element only by its own type',
    ({ operator, value }) =>
      operator.includes('array') &&
      Array.isArray(value) &&
      value.some((element) => element === '5' || element === true),
  ],
];

test('beside statsig-node all operators are equal, but for what is known', async () => {
  const { cells, unknown, unseen } = await compareOperators(statsigNode, known);
  expect({ unknown, unseen }).toEqual({ unknown: [], unseen: [] });
  expect(cells).toBeGreaterThan(1400);
});
