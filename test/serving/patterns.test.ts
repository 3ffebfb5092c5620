import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { contextOf } from '../../src/engine/evaluation/context.ts';
import { evaluate } from '../../src/engine/evaluation/evaluate.ts';
import { sdkUser } from '../../src/engine/evaluation/user.ts';
import { entities, gate, rule } from '../evaluation/support/entities.ts';
import { callApp, evaluateAll, evaluateFlag, isolate } from '../support/apps.ts';
import type { Condition } from '../support/bodies.ts';
import { ok } from '../support/client.ts';
import { makeGate } from '../support/factories.ts';

/** Takes 500,000 steps on a long text, and matches neither `a` nor `b`. */
const hard = {
  type: 'custom_field',
  field: 'text',
  operator: 'str_matches',
  targetValue: '[ab]*a[ab]{900}[^ab]',
};
const easy = { ...hard, targetValue: '^ab' };
const text = 'ab'.repeat(499);

const everyone = (name: string, conditions: Condition[]) => ({
  name,
  passPercentage: 100,
  conditions,
});
const hardRules = Array.from({ length: 5 }, (_, index) =>
  everyone(`Hard ${index}`, [hard, hard, hard]),
);

describe('the patterns of one request', () => {
  test('stop at a maximum number of steps', () => {
    const conditions = Array.from({ length: 100 }, () => hard);
    const gates = [gate({ id: 'a', rules: [rule('r', conditions)] })];
    const project = compileSpec(entities({ gates }), unboundedScope);
    const context = contextOf(project, sdkUser({ userID: 'u', custom: { text } }), 0);
    const spec = project.gates.get('a');
    expect(spec && evaluate(context, spec).passes).toBe(false);
    expect(context.patterns.left).toBeLessThan(0);
    expect(context.patterns.left).toBeGreaterThan(-10_000);
  });
});

describe('a spent pattern budget', () => {
  const warnings: string[] = [];
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation((line) => void warnings.push(line));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    warnings.length = 0;
  });

  /** Two gates: one spends the budget before its last rule, the other needs one pattern. */
  async function makeGates() {
    const rules = [...hardRules, everyone('Easy', [easy])];
    const last = await makeGate({ rules });
    const first = await makeGate({ rules: [everyone('Easy', [easy])] });
    return { spending: last.id, modest: first.id };
  }

  test('makes patterns match nothing in this request only, and is logged once a minute', async () => {
    const { spending, modest } = await makeGates();
    const worker = await isolate();
    const context = { targetingKey: 'u', text };
    expect(await evaluateFlag(spending, context, { worker })).toMatchObject({
      value: false,
      reason: 'DEFAULT',
    });
    expect(
      (await evaluateFlag(spending, { targetingKey: 'u', text: 'ab' }, { worker })).value,
    ).toBe(true);
    expect((await evaluateFlag(modest, context, { worker })).value).toBe(true);
    const user = { userID: 'u', custom: { text } };
    const names = { gateNames: [modest, spending], user };
    const { body } = await callApp('/v1/check_gate', { body: names, worker });
    expect([body[modest].value, body[spending].value]).toEqual([true, false]);
    expect(warnings.map((line) => JSON.parse(line).patterns)).toEqual(['spent']);
  });

  test('is shared by all flags of a request', async () => {
    const { spending, modest } = await makeGates();
    const { body } = await evaluateAll({ targetingKey: 'u', text });
    const answerOf = (id: string) =>
      body.flags.find(({ key }: { key: string }) => key === id).value;
    const keys = body.flags.map(({ key }: { key: string }) => key);
    expect(answerOf(spending)).toBe(false);
    expect(answerOf(modest)).toBe(keys.indexOf(modest) < keys.indexOf(spending));
    const { feature_gates } = (
      await callApp('/v1/initialize', {
        body: { user: { userID: 'u', custom: { text } }, hash: 'none' },
      })
    ).body;
    expect(feature_gates[spending].value).toBe(false);
  });

  test('also applies to an explanation', async () => {
    const { spending } = await makeGates();
    const user = { userID: 'u', custom: { text } };
    const { value, traces } = await ok('POST', 'evaluate', { kind: 'gate', id: spending, user });
    expect([value, traces[0].ruleID]).toEqual([false, 'default']);
  });
});
