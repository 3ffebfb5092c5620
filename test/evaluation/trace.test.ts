import { describe, expect, test } from 'vitest';
import { compileSpec, unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { contextOf } from '../../src/engine/evaluation/context.ts';
import { evaluate } from '../../src/engine/evaluation/evaluate.ts';
import { bucketOf } from '../../src/engine/evaluation/hash.ts';
import { traceOf } from '../../src/engine/evaluation/trace.ts';
import { contextUser, sdkUser } from '../../src/engine/evaluation/user.ts';
import { entities, experiment, gate, group, layer, rule } from './support/entities.ts';
import { everything as project } from './support/everything.ts';
import { randomFrom } from './support/random.ts';
import { generateUser } from './support/users.ts';

const passes = (targetValue: string) => ({ type: 'passes_gate', targetValue });

const small = compileSpec(
  entities({
    gates: [
      gate({ id: 'asked', rules: [rule('half', [{ type: 'public' }], { passPercentage: 50 })] }),
      gate({
        id: 'a_gate',
        rules: [
          rule('german', [
            { type: 'country', operator: 'any', targetValue: 'DE' },
            passes('asked'),
          ]),
          rule('again', [passes('asked'), { type: 'email', operator: 'is_null' }]),
        ],
      }),
    ],
    layers: [layer({ id: 'checkout' })],
    experiments: [experiment({ id: 'tried', layerID: 'checkout', groups: [group('only', 100)] })],
  }),
  unboundedScope,
);

const trace = (
  list: 'gates' | 'layers',
  name: string,
  user = contextUser({ targetingKey: 'u-1', country: 'FR' }),
) => {
  const spec = small[list].get(name);
  if (!spec) throw new Error(`There is no ${name}.`);
  return traceOf(evaluate(contextOf(small, user, 1_800_000_000_000, true), spec));
};

describe('a trace', () => {
  test('contains each rule, the value of each condition, the buckets and the traces of gates', () => {
    const bucket = bucketOf('asked.half.u-1', 10_000);
    const asked = {
      name: 'asked',
      ruleID: 'half',
      passes: bucket < 5000,
      rules: [
        {
          id: 'half',
          name: 'Rule half',
          holds: true,
          passPercentage: 50,
          bucket,
          passes: bucket < 5000,
        },
      ],
    };
    expect(trace('gates', 'a_gate')).toMatchObject({
      name: 'a_gate',
      entity: 'feature_gate',
      value: trace('gates', 'a_gate').passes,
      rules: [
        {
          id: 'german',
          holds: false,
          conditions: [
            {
              type: 'ip_based',
              operator: 'any',
              field: 'country',
              targetValue: ['DE'],
              seen: 'FR',
              holds: false,
            },
            { type: 'pass_gate', seen: bucket < 5000, holds: bucket < 5000, gate: asked },
          ],
        },
        {
          id: 'again',
          conditions: [
            { type: 'pass_gate', gate: { name: 'asked', rules: [] } },
            { type: 'user_field', operator: 'eq', seen: null, holds: true },
          ],
        },
      ],
    });
    expect(trace('gates', 'a_gate').rules[0]).not.toHaveProperty('bucket');
  });

  test('contains the experiment that a layer delegates to', () => {
    const { delegate, rules, groupName, value } = trace('layers', 'checkout');
    expect(rules).toMatchObject([{ id: 'experimentAssignment', holds: true }]);
    expect(rules[0]?.conditions[0]).toMatchObject({
      type: 'user_bucket',
      seen: bucketOf('checkout.u-1', 1000),
    });
    expect(delegate).toMatchObject({
      name: 'tried',
      ruleID: 'only',
      rules: [
        { id: 'layerAssignment', holds: false },
        { id: 'only', passes: true },
      ],
    });
    expect([groupName, value]).toEqual(['Group only', { from: 'only' }]);
  });

  test('contains the missing ID type', () => {
    expect(trace('layers', 'checkout', contextUser({})).missingUnit).toBe('userID');
    expect(trace('layers', 'checkout')).not.toHaveProperty('missingUnit');
  });

  test('does not grow with the number of paths to a gate', () => {
    const gates = Array.from({ length: 40 }, (_, level) =>
      gate({
        id: `g${level}`,
        rules: level ? [rule('r', [passes(`g${level - 1}`), passes(`g${level - 1}`)])] : [],
      }),
    );
    const deep = compileSpec(entities({ gates }), unboundedScope);
    const spec = deep.gates.get('g39');
    const evaluation = spec && evaluate(contextOf(deep, contextUser({}), 0, true), spec);
    expect(JSON.stringify(evaluation && traceOf(evaluation)).length).toBeLessThan(40_000);
  });

  test('does not change the evaluation', () => {
    const compiled = compileSpec(project, unboundedScope);
    const random = randomFrom(7);
    for (let count = 0; count < 20; count++) {
      const user = sdkUser(generateUser(random), 'staging');
      const plain = contextOf(compiled, user, 0);
      const traced = contextOf(compiled, user, 0, true);
      for (const spec of [
        ...compiled.gates.values(),
        ...compiled.configs.values(),
        ...compiled.layers.values(),
      ]) {
        const { steps, delegate: _inner, ...rest } = evaluate(traced, spec);
        const { steps: none, delegate: _other, ...same } = evaluate(plain, spec);
        expect(rest).toEqual(same);
        expect(none).toEqual([]);
        expect(steps.at(-1)?.rule.id ?? spec.entity).toBeDefined();
      }
    }
  });
});
