import type { StoredExposures } from '../../analysis/read/series.ts';
import { sumOf } from '../../base/numbers.ts';
import { type Balance, balanceOf } from '../../engine/statistics/balance.ts';
import { sharesOf } from '../../experiments/experiments/checks/health.ts';
import type { Experiment } from '../../experiments/experiments/schema.ts';

/** Returns the units of each group, in the order of the groups. */
export const unitsOfGroups = (
  { groups }: Pick<Experiment, 'groups'>,
  exposures: readonly StoredExposures[],
): number[] => groups.map(({ id }) => exposures.find(({ group }) => group === id)?.cumulative ?? 0);

/** Returns how likely the units of the groups are by the shares that they are drawn with. */
export const balanceOfGroups = (
  experiment: Experiment,
  exposures: readonly StoredExposures[],
): Balance | null => balanceOf(unitsOfGroups(experiment, exposures), sharesOf(experiment));

/** Returns the units that were seen in several groups, and their share of all units, in percent. */
export function crossoversOf(exposures: readonly StoredExposures[]): {
  units: number;
  share: number | null;
} {
  const units = exposures.find(({ group }) => group === '')?.crossovers ?? 0;
  const all = units + sumOf(exposures.map(({ cumulative }) => cumulative));
  return { units, share: all > 0 ? (100 * units) / all : null };
}
