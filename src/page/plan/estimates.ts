import { get } from '../base/api.ts';
import type { ExperimentBaseline } from '../base/types.ts';
import { useGet } from '../base/use.ts';
import type { RoleJudged } from './roles.ts';
import type { TypedNumbers } from './typed.ts';

export type Estimates = Map<string, ExperimentBaseline>;

/** Reads the metrics among targeted units, from events of the last days; undefined while loading. */
export function useEstimates(
  experimentID: string,
  metrics: readonly RoleJudged[],
  days: string,
): Estimates | undefined {
  const ids = metrics.map(({ id }) => id);
  const of = `/experiments/${encodeURIComponent(experimentID)}/baseline`;
  const read = async (metricID: string): Promise<[string, ExperimentBaseline][]> => {
    const query = new URLSearchParams({ metricID, days });
    return get<ExperimentBaseline>(`${of}?${query}`).then(
      ({ data }) => [[metricID, data]],
      () => [],
    );
  };
  const key = ids.length > 0 ? `baselines of ${experimentID} ${days} ${ids.join()}` : '';
  return useGet(key, async () => new Map((await Promise.all(ids.map(read))).flat())).value;
}

/** Whether a power analysis can start from it. */
export const isUsable = (estimate: ExperimentBaseline | undefined) =>
  estimate?.baseline != null && estimate.baseline.mean !== 0;

/** Returns the typed inputs, completed by estimates; a typed value takes precedence. */
export function withEstimates(typed: TypedNumbers, estimates: Estimates = new Map()): TypedNumbers {
  const usable = [...estimates].filter(([, estimate]) => isUsable(estimate));
  const [first] = usable;
  const isTraffic = typeof typed.unitsPerDay === 'number';
  return {
    unitsPerDay: isTraffic ? typed.unitsPerDay : first?.[1].unitsPerDay,
    baselines: {
      ...typed.baselines,
      ...Object.fromEntries(
        usable.map(([id, { baseline }]) => [
          id,
          { ...typed.baselines?.[id], ...(baseline && { estimate: baseline }) },
        ]),
      ),
    },
  };
}
