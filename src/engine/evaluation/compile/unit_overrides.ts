import type { UnitOverridesEntity } from '../entities.ts';
import type { SpecRule } from '../spec.ts';
import { isUnit } from './conditions.ts';
import { alsoIn, specRule } from './rules.ts';
import { type CompileScope, reaches } from './scope.ts';

interface OverrideList {
  readonly verdict: 'pass' | 'fail';
  readonly environment?: string | null | undefined;
  readonly unit: string;
  readonly ids: readonly string[];
}

function overrideLists(overrides: UnitOverridesEntity): OverrideList[] {
  const { passingUserIDs, failingUserIDs, environmentOverrides } = overrides;
  const everywhere: OverrideList[] = [
    { verdict: 'pass', unit: 'userID', ids: passingUserIDs },
    { verdict: 'fail', unit: 'userID', ids: failingUserIDs },
  ];
  const somewhere = environmentOverrides.flatMap(
    ({ environment, unitID: unit, passingIDs, failingIDs }): OverrideList[] => [
      { verdict: 'pass', environment, unit, ids: passingIDs },
      { verdict: 'fail', environment, unit, ids: failingIDs },
    ],
  );
  return [...everywhere, ...somewhere].filter(({ ids }) => ids.length > 0);
}

const unitOverrideRule = ({ verdict, environment, unit, ids }: OverrideList): SpecRule =>
  specRule({
    id: `${verdict}:${environment || 'all'}:${unit}:id_override`,
    passPercentage: verdict === 'pass' ? 100 : 0,
    conditions: alsoIn(environment, [isUnit(unit, ids)]),
    returnValue: true,
    idType: unit,
  });

/** Returns the override rules of a gate or holdout, which come before its other rules. */
export const unitOverrideRules = (
  overrides: UnitOverridesEntity,
  scope: CompileScope,
): SpecRule[] =>
  overrideLists(overrides)
    .filter(({ environment }) => reaches(scope, environment ? [environment] : null))
    .map(unitOverrideRule);
