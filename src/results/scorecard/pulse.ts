import type { Pair } from '../../analysis/base/cells.ts';
import { isPlanned } from '../../analysis/plan/metric.ts';
import type { StoredCell, StoredPair } from '../../analysis/read/stored.ts';
import {
  type Corrected,
  corrected,
  type TestedMetric,
} from '../../engine/statistics/corrections.ts';
import type { Start } from '../../experiments/starts/table.ts';
import type { ResultOptions } from '../base/options.ts';
import type { Result } from '../base/schema.ts';
import type { Subject } from '../base/subject.ts';
import { comparisonOfPair, metricResultOf } from './result.ts';
import { alphaShare, basisOf, decidingPValue, type Timing } from './rules/decision.ts';
import type { Measured, Setting } from './rules/measured.ts';

type CellsByKey = ReadonlyMap<string, StoredCell>;

const cellKey = (metric: string, group: string) => JSON.stringify([metric, group]);

const indexed = (cells: readonly StoredCell[]): CellsByKey =>
  new Map(cells.map((cell) => [cellKey(cell.metric, cell.group), cell]));

const pairIn = (cells: CellsByKey, metric: string, { control, test }: Pair): StoredPair => ({
  control: cells.get(cellKey(metric, control)),
  test: cells.get(cellKey(metric, test)),
});

export interface ScorecardDay {
  analysis: Start;
  subjects: readonly Subject[];
  family: readonly Pick<Subject, 'id' | 'role'>[];
  cells: readonly StoredCell[];
  baselines: readonly StoredCell[];
}

function pValueOf(
  { plan }: Subject,
  pair: StoredPair,
  options: ResultOptions,
  timing: Timing,
): number | null {
  if (!isPlanned(plan)) return null;
  const { comparison } = comparisonOfPair(plan, pair, options);
  const units = (pair.control?.n ?? 0) + (pair.test?.n ?? 0);
  return decidingPValue(comparison, units, basisOf(options, timing), timing);
}

function correctionsOf(
  { analysis, subjects, family }: ScorecardDay,
  cells: CellsByKey,
  { control, test }: Pair,
  { options, timing }: Setting,
): Map<string, Corrected> {
  const { alpha, corrections } = options;
  const needsAll = corrections.benjaminiPerMetric || corrections.benjaminiPerVariant;
  const variants = analysis.groups.map(({ id }) => id).filter((id) => id !== control);
  const bySubject = new Map(subjects.map((subject) => [subject.id, subject]));
  const tests = family.flatMap(({ id, role }) =>
    variants.map((variant): TestedMetric => {
      const subject = needsAll || variant === test ? bySubject.get(id) : undefined;
      const pair = pairIn(cells, id, { control, test: variant });
      const pValue = subject ? pValueOf(subject, pair, options, timing) : null;
      return { metric: id, variant, role, pValue };
    }),
  );
  const share = alphaShare(options, timing);
  const all = corrected(tests, alpha, corrections);
  return new Map(
    tests.flatMap(({ metric, variant }, index) => {
      const own = all[index];
      if (!own || variant !== test) return [];
      return [[metric, { ...own, adjustedAlpha: own.adjustedAlpha * share }] as const];
    }),
  );
}

function decidedAtEnd(day: ScorecardDay, sides: Pair, setting: Setting): ReadonlySet<string> {
  const { options, timing } = setting;
  const { plannedDay } = timing;
  const isAfter = plannedDay !== null && plannedDay < timing.ds;
  if (options.method !== 'frequentist' || !options.isSequential || !isAfter) return new Set();
  const atEnd = { ...setting, timing: { ...timing, ds: plannedDay } };
  return new Set(
    resultsOf(day, sides, atEnd)
      .filter(({ significant }) => significant)
      .map(({ metricID }) => metricID),
  );
}

function whyMissing(
  { isLoaded }: Subject,
  cells: CellsByKey,
  { rollup, isPreliminary }: Setting,
): Measured['missing'] {
  if (rollup > 0 && isPreliminary) return 'not_loaded'; // the present day is loaded for all days only
  if (cells.size === 0) return 'no_exposures';
  return isLoaded ? 'no_units' : 'not_loaded';
}

/** Returns the results of the metrics of a day, in the order of the subjects. */
export function resultsOf(day: ScorecardDay, sides: Pair, setting: Setting): Result[] {
  const { subjects, baselines } = day;
  const cells = indexed(day.cells.filter(({ ds }) => ds === setting.timing.ds));
  const corrections = correctionsOf(day, cells, sides, setting);
  const decided = decidedAtEnd(day, sides, setting);
  return subjects.map((subject) => {
    const measured: Measured = {
      subject,
      pair: pairIn(cells, subject.id, sides),
      corrected: corrections.get(subject.id) ?? {
        adjustedAlpha: setting.options.alpha,
        adjustedPValue: null,
      },
      baseline: baselines.find(
        ({ metric, ds }) => metric === subject.id && ds <= setting.timing.ds,
      ),
      wasDecided: decided.has(subject.id),
      missing: whyMissing(subject, cells, setting),
    };
    return metricResultOf(measured, setting);
  });
}
