import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { forgetSnapshot } from '../../src/delivery/serving/current.ts';
import { callApp, evaluateFlag, keyOf } from '../support/apps.ts';
import { emptyDatabase } from '../support/database.ts';
import {
  hour,
  learnAt,
  report,
  setClock,
  start,
  startAutotune,
  units,
  weightsOf,
} from './support.ts';

beforeEach(emptyDatabase);
afterEach(() => {
  vi.useRealTimers();
});

interface DownloadedRule {
  groupName: string;
  conditions: { type: string; targetValue: number; additionalValues: { salt: string } }[];
}

/** Returns the group that a downloaded spec gives a unit, by the hash of the SDK protocol. */
function drawn(rules: readonly DownloadedRule[], unit: string): string | undefined {
  return rules.find(({ conditions: [condition] }) => {
    const salt = condition?.additionalValues.salt;
    const hash = createHash('sha256').update(`${salt}.${unit}`).digest().readBigUInt64BE();
    return Number(hash % 1000n) < (condition?.targetValue ?? 0);
  })?.groupName;
}

describe('learned shares', () => {
  test('decide downloads and own evaluations alike', async () => {
    const id = await startAutotune({ explorationWindowRate: 0.4 });
    const key = await keyOf('SERVER');
    await report(id, [...units('control', 50, 5), ...units('test', 50, 20)]);
    await learnAt(2);
    expect(await weightsOf(id)).toEqual([20, 80]);
    setClock(start + 2 * hour + 5000);
    forgetSnapshot();
    const { body } = await callApp(`/v1/download_config_specs/${key}.json`, {
      method: 'GET',
      key: null,
    });
    const spec = body.dynamic_configs.find(({ name }: { name: string }) => name === id);
    const people = Array.from({ length: 500 }, (_, index) => `person ${index}`);
    const counts = { control: 0, test: 0 };
    const different: string[] = [];
    for (const targetingKey of people) {
      const { variant } = await evaluateFlag(id, { targetingKey });
      if (variant !== drawn(spec.rules, targetingKey)) different.push(targetingKey);
      counts[variant === 'test' ? 'test' : 'control']++;
    }
    expect(different).toEqual([]);
    // 80% of 500, at most four standard errors away.
    expect(Math.abs(counts.test - 400)).toBeLessThan(4 * Math.sqrt(500 * 0.8 * 0.2));
  });
});
