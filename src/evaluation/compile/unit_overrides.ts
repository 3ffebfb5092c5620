import type { UnitOverridesEntity } from '../entities.ts';
import type { Rule } from '../spec.ts';
import { isUnit } from './conditions.ts';
import { alsoIn, ruleOf } from './rules.ts';
import { reaches, type Scope } from './scope.ts';

interface Listed {
  readonly verdict: 'pass' | 'fail';
  readonly environment?: string | null | undefined;
  readonly unit: string;
  readonly ids: readonly string[];
}

/** The units that pass or fail whatever the rules say, in the order in which they are looked at. */
function listed(overrides: UnitOverridesEntity): Listed[] {
  const { passingUserIDs, failingUserIDs, environmentOverrides } = overrides;
  const everywhere: Listed[] = [
    { verdict: 'pass', unit: 'userID', ids: passingUserIDs },
    { verdict: 'fail', unit: 'userID', ids: failingUserIDs },
  ];
  const somewhere = environmentOverrides.flatMap(
    ({ environment, unitID: unit, passingIDs, failingIDs }): Listed[] => [
      { verdict: 'pass', environment, unit, ids: passingIDs },
      { verdict: 'fail', environment, unit, ids: failingIDs },
    ],
  );
  return [...everywhere, ...somewhere].filter(({ ids }) => ids.length > 0);
}

const overrideRule = ({ verdict, environment, unit, ids }: Listed): Rule =>
  ruleOf({
    id: `${verdict}:${environment || 'all'}:${unit}:id_override`,
    passPercentage: verdict === 'pass' ? 100 : 0,
    conditions: alsoIn(environment, [isUnit(unit, ids)]),
    returnValue: true,
    idType: unit,
  });

/** The rules of a gate or holdout by which units pass or fail, whatever its other rules say. */
export const unitOverrideRules = (overrides: UnitOverridesEntity, scope: Scope): Rule[] =>
  listed(overrides)
    .filter(({ environment }) => reaches(scope, environment ? [environment] : null))
    .map(overrideRule);
