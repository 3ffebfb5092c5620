import { describe, expect, test } from 'vitest';
import {
  benjaminiHochberg,
  bonferroni,
  type Corrections,
  corrected,
} from '../../src/engine/statistics/corrections.ts';
import table from './golden/multiple.json';
import { expectGolden } from './golden.ts';

test.each(table.cases)("the p-values of $name are adjusted as by R's p.adjust", (row) => {
  const { pValues, alpha } = row.input;
  const { adjustedPValues, adjustedAlpha } = benjaminiHochberg(pValues, alpha);
  const adjusted = bonferroni(pValues);
  const actual = {
    benjaminiHochberg: adjustedPValues,
    bonferroni: adjusted,
    adjustedAlpha,
    rejected: adjustedPValues.filter((p) => p <= alpha).length,
    rejectedBonferroni: adjusted.filter((p) => p <= alpha).length,
  };
  expectGolden(actual, row.expected);
});

describe('the corrections of an experiment', () => {
  const none: Corrections = {
    bonferroniPerVariant: false,
    bonferroniPerMetric: false,
    primaryWeight: null,
    benjaminiPerMetric: false,
    benjaminiPerVariant: false,
    benjaminiPrimaryOnly: false,
  };
  /** Two primary metrics, one secondary and one other, of two test groups. */
  const tests = (['a', 'b'] as const).flatMap((variant, at) => [
    { metric: 'p1', variant, role: 'primary' as const, pValue: [0.001, 0.04][at] ?? null },
    { metric: 'p2', variant, role: 'primary' as const, pValue: [0.02, 0.3][at] ?? null },
    { metric: 's1', variant, role: 'secondary' as const, pValue: [0.03, 0.8][at] ?? null },
    { metric: 'o1', variant, role: 'other' as const, pValue: [0.01, null][at] ?? null },
  ]);
  const alphas = (corrections: Partial<Corrections>) =>
    corrected(tests, 0.06, { ...none, ...corrections }).map(({ adjustedAlpha }) =>
      Number(adjustedAlpha.toFixed(6)),
    );

  test('Bonferroni divides by groups, by metrics, by weights, or by both', () => {
    expect(alphas({})).toEqual(Array(8).fill(0.06));
    const of = (primary: number, secondary: number) => {
      const variant = [primary, primary, secondary, 0.06];
      return [...variant, ...variant];
    };
    expect(alphas({ bonferroniPerVariant: true })).toEqual(of(0.03, 0.03));
    expect(alphas({ bonferroniPerMetric: true })).toEqual(of(0.02, 0.02));
    expect(alphas({ bonferroniPerMetric: true, primaryWeight: 0.8 })).toEqual(of(0.024, 0.012));
    const both = { bonferroniPerMetric: true, bonferroniPerVariant: true, primaryWeight: 0.8 };
    expect(alphas(both)).toEqual(of(0.012, 0.006));
  });

  test('Benjamini and Hochberg control metrics of a group, groups of a metric, or all', () => {
    expect(alphas({ benjaminiPerMetric: true })).toEqual([
      0.06, 0.06, 0.06, 0.06, 0.02, 0.02, 0.02, 0.06,
    ]);
    expect(alphas({ benjaminiPerVariant: true })).toEqual([
      0.06, 0.03, 0.03, 0.06, 0.06, 0.03, 0.03, 0.06,
    ]);
    expect(alphas({ benjaminiPerMetric: true, benjaminiPerVariant: true })).toEqual([
      0.04, 0.04, 0.04, 0.06, 0.04, 0.04, 0.04, 0.06,
    ]);
    expect(alphas({ benjaminiPerMetric: true, benjaminiPrimaryOnly: true })).toEqual([
      0.06, 0.06, 0.06, 0.06, 0.03, 0.03, 0.06, 0.06,
    ]);
  });

  test('the stricter of two corrections holds, and a missing p-value stays missing', () => {
    const both = corrected(tests, 0.06, {
      ...none,
      bonferroniPerMetric: true,
      benjaminiPerMetric: true,
    });
    expect(both.map(({ adjustedAlpha }) => adjustedAlpha)).toEqual([
      0.02, 0.02, 0.02, 0.06, 0.02, 0.02, 0.02, 0.06,
    ]);
    expect(both[0]?.adjustedPValue).toBeCloseTo(0.003, 12);
    expect(both[7]?.adjustedPValue).toBeNull();
  });

  test('a weight that leaves nothing makes the adjusted p-value 1', () => {
    const all = corrected(tests, 0.06, { ...none, bonferroniPerMetric: true, primaryWeight: 1 });
    expect(all[2]).toEqual({ adjustedAlpha: 0, adjustedPValue: 1 });
  });
});
