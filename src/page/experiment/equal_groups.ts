import { isEqual } from '../../base/equal.ts';
import type { Experiment, Group } from '../base/types.ts';

/** Returns two groups with the same values; undefined if all differ. */
export function equalGroups({
  groups,
  isAnalysisOnly,
}: Pick<Experiment, 'groups' | 'isAnalysisOnly'>) {
  if (isAnalysisOnly) return undefined;
  const same = (one: Group) => (other: Group) =>
    isEqual(one.parameterValues, other.parameterValues);
  const second = groups.find((group, index) => groups.findIndex(same(group)) < index);
  const first = second && groups.find(same(second));
  return first && { first: first.name, second: second.name, values: first.parameterValues };
}
