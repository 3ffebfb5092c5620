import type { SQL } from 'drizzle-orm';
import { dayLength } from '../../base/time.ts';
import { type Statement, statement } from '../../platform/store/sql/statement.ts';
import type { Unit } from '../base/exposures.ts';
import {
  type Cluster,
  noCluster,
  percentileCell,
  ranksOf,
  valueRank,
  withUnit,
} from '../base/percentiles.ts';
import type { LoadPhase, TaskProgress } from '../base/progress.ts';
import { needsLimits } from '../base/quantiles.ts';
import { type DayScope, eventEnd } from '../base/scope.ts';
import type { FunnelPlan, MetricPlan, PercentilePlan, UnitsPlan } from '../plan/plan.ts';
import { periodOf } from '../sql/events.ts';
import { eventCountSQL, numbersAtRanks } from '../sql/percentile.ts';
import { type LoadDay, slicedValues, withExtremes, withLimits, withMoments } from './chunks.ts';
import { readerOf } from './reading.ts';
import { valuesSince } from './since.ts';

export interface TaskState {
  phase: LoadPhase;
  progress: TaskProgress;
}

interface ChunkStep {
  columns: SQL[];
  add(rows: readonly { unit: Unit; raw: readonly unknown[] }[]): TaskProgress;
  end(progress: TaskProgress): TaskState;
}

interface WholeStep {
  statements: Statement<(number | null)[]>[];
  end(results: (number | null)[][]): TaskState;
}

export type TaskStep =
  | { chunk: ChunkStep; whole?: undefined }
  | { whole: WholeStep; chunk?: undefined };

export function firstPhase(plan: MetricPlan, day: LoadDay): LoadPhase {
  if (plan.type === 'percentile') return 'counts';
  return needsLimits(plan, day.units) ? 'limits' : 'moments';
}

function unitsStep(
  plan: UnitsPlan | FunnelPlan,
  { scope, rollup, day }: ValueTask,
  { phase, progress }: TaskState,
): TaskStep {
  const { columns, read } = readerOf(plan, scope, rollup);
  const readingsOf = (rows: readonly { unit: Unit; raw: readonly unknown[] }[]) =>
    rows.flatMap(({ unit, raw }) => {
      const reading = read(unit, raw);
      return reading ? [{ unit, reading }] : [];
    });
  if (phase === 'limits')
    return {
      chunk: {
        columns,
        add: (rows) => withExtremes(progress, plan, slicedValues(day, readingsOf(rows)), day),
        end: (last) => ({ phase: 'moments', progress: withLimits(last, plan) }),
      },
    };
  return {
    chunk: {
      columns,
      add(rows) {
        const readings = readingsOf(rows);
        const since = valuesSince({ scope, rollup }, plan, readings);
        return withMoments(progress, plan, [...slicedValues(day, readings), ...since]);
      },
      end: (last) => ({ phase: 'done', progress: last }),
    },
  };
}

const numberOrZero = (value: unknown): number => (typeof value === 'number' ? value : 0);

function percentileStep(
  plan: PercentilePlan,
  { scope, rollup }: ValueTask,
  state: TaskState,
): TaskStep {
  const { phase, progress } = state;
  const from = rollup > 0 ? scope.end - rollup * dayLength : null;
  const period = periodOf(plan.window, eventEnd(scope, plan.bakeDays), from);
  const { clusters } = progress;
  const withClusters = (change: (cluster: Cluster, place: number) => Cluster): TaskProgress => ({
    ...progress,
    clusters: Object.fromEntries(
      Object.entries(clusters).map(([group, cluster], place) => [group, change(cluster, place)]),
    ),
  });
  const adding = (columns: SQL[], next: LoadPhase): TaskStep => ({
    chunk: {
      columns,
      add(rows) {
        const sums = { ...clusters };
        for (const { unit, raw } of rows) {
          const known = sums[unit.group] ?? noCluster;
          const [n, s] = [numberOrZero(raw[0]), numberOrZero(raw[1])];
          sums[unit.group] = { ...known, sums: withUnit(known.sums, s, n) };
        }
        return { ...progress, clusters: sums };
      },
      end: (last) => ({ phase: next, progress: last }),
    },
  });
  const reading = (
    ranksIn: (cluster: Cluster) => readonly number[],
    place: (cluster: Cluster, found: (number | null)[]) => Cluster,
    next: (progress: TaskProgress) => TaskState,
  ): TaskStep => ({
    whole: {
      statements: Object.entries(clusters).map(([group, cluster]) => {
        const ranks = ranksIn(cluster);
        const written = numbersAtRanks(plan, scope, period, {
          group,
          ranks: ranks.length > 0 ? ranks : [1],
        });
        return statement(written, (row) =>
          ranks.map((_, index) => {
            const value = row[`v${index}`];
            return typeof value === 'number' ? value : null;
          }),
        )();
      }),
      end: (results) =>
        next(withClusters((cluster, index) => place(cluster, results[index] ?? []))),
    },
  });
  switch (phase) {
    case 'counts':
      return adding([eventCountSQL(plan, scope, period)], 'value');
    case 'value':
      return reading(
        (cluster) => [valueRank(cluster, plan.p) ?? 1],
        (_, [value = null]) => ({ ...noCluster, value }),
        (after) => ({ phase: 'shares', progress: after }),
      );
    case 'shares': {
      const atMost = Object.entries(clusters).flatMap(([group, { value }]) =>
        value === null ? [] : [{ group, value }],
      );
      return adding(
        [eventCountSQL(plan, scope, period), eventCountSQL(plan, scope, period, atMost)],
        'bounds',
      );
    }
    default:
      return reading(
        (cluster) => {
          const ranks = ranksOf(cluster, plan.p);
          return ranks ? [ranks.lower, ranks.upper] : [];
        },
        (cluster, [lower = null, upper = null]) => ({ ...cluster, lower, upper }),
        (after) => {
          const cells = Object.entries(after.clusters).map(([group, cluster]) =>
            percentileCell(group, cluster),
          );
          return { phase: 'done', progress: { ...after, cells, clusters: {} } };
        },
      );
  }
}

export interface ValueTask {
  scope: DayScope;
  rollup: number;
  day: LoadDay;
}

export const stepOf = (plan: MetricPlan, task: ValueTask, state: TaskState): TaskStep =>
  plan.type === 'percentile' ? percentileStep(plan, task, state) : unitsStep(plan, task, state);
