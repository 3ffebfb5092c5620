import { isShare } from '../../base/metric_ids.ts';
import { chance, lift, mean, pValue } from '../../charts/format.ts';
import type { TableData } from '../../charts/rows.tsx';
import { countingWords } from '../../charts/verdict_sign.ts';
import { allOf, type Compared } from '../frame/compared.ts';
import { countingOf, shownP } from '../frame/counting.ts';
import type { Result } from '../frame/types.ts';

const cellsOf = (result: Result, isBayesian: boolean) => [
  mean(result.controlMean, isShare(result.metricID)),
  mean(result.testMean, isShare(result.metricID)),
  lift(result.percentChange),
  result.percentConfidenceInterval
    ? `${lift(result.percentConfidenceInterval.lower)} to ${lift(result.percentConfidenceInterval.upper)}`
    : '–',
  isBayesian ? chance(result.bayesian?.chanceToBeat) : pValue(shownP(result)),
  countingWords[countingOf(result)],
];

/** Returns the scorecard as a table of texts, whose rows are made when they are read. */
export const scorecardTable = (compared: Compared[], isBayesian: boolean): TableData => ({
  heads: [
    'Metric',
    ...(compared.length > 1 ? ['Group'] : []),
    'Control',
    'Test',
    'Lift',
    'Interval',
    isBayesian ? 'Chance to beat' : 'p',
    'Reading',
  ],
  get rows() {
    return (compared[0] ? allOf(compared[0].results) : []).flatMap(({ metricID, metricName }) =>
      compared.flatMap(({ name, results }) => {
        const result = allOf(results).find((one) => one.metricID === metricID);
        if (!result) return [];
        const groups = compared.length > 1 ? [name] : [];
        return [[metricName, ...groups, ...cellsOf(result, isBayesian)]];
      }),
    );
  },
});
