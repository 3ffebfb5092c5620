import { get } from '../base/api.ts';
import type { Experiment, Metric } from '../base/types.ts';
import { useDebounced, useGet } from '../base/use.ts';
import { baselineBody, foundAfter, groupsBody } from './power.ts';
import type { RoleJudged } from './roles.ts';
import type { TypedNumbers } from './typed.ts';
import { allocatedPerDay } from './use_plan.ts';

export type Found = Awaited<ReturnType<typeof foundAfter>>;

export function useFoundEffects(
  experiment: Experiment,
  metrics: RoleJudged[],
  typed: TypedNumbers,
) {
  const groups = groupsBody(experiment);
  const unitsPerDay = allocatedPerDay(typed, experiment);
  const { duration: days } = experiment;
  const isReady = groups && unitsPerDay && typeof days === 'number' && days > 0;
  const bodies = metrics.flatMap(({ id }) => {
    const body = isReady && baselineBody(typed.baselines?.[id], id);
    return body ? [{ id, body: { ...body, ...groups } }] : [];
  });
  const key = bodies.length > 0 ? JSON.stringify({ bodies, unitsPerDay, days }) : '';
  const late = useDebounced(key, 150);
  const { value } = useGet(late && `found ${late}`, async () => {
    const wanted: { bodies: typeof bodies; unitsPerDay: number; days: number } = JSON.parse(late);
    const found = await Promise.all(
      wanted.bodies.map(
        async ({ id, body }): Promise<[string, Found]> => [
          id,
          await foundAfter(body, wanted.unitsPerDay, wanted.days),
        ],
      ),
    );
    return new Map(found);
  });
  return late ? value : undefined;
}

export const useDirections = (metrics: RoleJudged[]) => {
  const ids = metrics.map(({ id }) => id);
  const key = ids.length > 0 ? `directions of ${ids.join()}` : '';
  return useGet(key, async () => {
    const read = async (id: string): Promise<[string, Metric['directionality'] | undefined]> => [
      id,
      await get<Metric>(`/metrics/${encodeURIComponent(id)}`).then(
        ({ data }) => data.directionality,
        () => undefined,
      ),
    ];
    return new Map(await Promise.all(ids.map(read)));
  }).value;
};
