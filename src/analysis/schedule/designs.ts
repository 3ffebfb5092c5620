import { metricID } from '../../base/naming.ts';
import { dayOfTime } from '../../base/time.ts';
import { storedUnitType } from '../../base/unit_types.ts';
import { analysisDraws } from '../../data/exposures/table.ts';
import type { Holdout } from '../../experiments/holdouts/schema.ts';
import type { Start, StartGroup } from '../../experiments/starts/table.ts';
import { ruleStartTime } from '../../flags/gates/gate.ts';
import type { Gate } from '../../flags/gates/schema.ts';

const design = { designAlpha: 0.05, tuningUnits: 5000 };

/** Downsamples the larger side to the smaller; see docs/contract/evaluation.md#9-exposures-and-checks. */
const withEqualSizes = (groups: StartGroup[]): StartGroup[] => {
  const smallest = Math.min(...groups.map(({ size }) => size));
  return groups.map((group) =>
    group.size > smallest
      ? { ...group, drawsBelow: (analysisDraws * smallest) / group.size }
      : group,
  );
};

interface Side {
  id: string;
  name: string;
  percentage: number;
}

function twoSided(
  kind: Start['kind'],
  entity: Gate | Holdout,
  key: { id: string; start: number },
  sides: { control: Side; test: Side },
): Start {
  const groups = [sides.control, sides.test].map(({ id, name, percentage }) => ({
    ...{ id, name, size: percentage },
  }));
  return {
    kind,
    ...key,
    unitType: storedUnitType(entity.idType),
    groups: withEqualSizes(groups),
    control: sides.control.id,
    assignmentEnd: null,
    endTime: null,
    plannedEnd: null,
    ...design,
    settings: {
      primaryMetrics: [],
      secondaryMetrics: [],
      otherMetrics: entity.monitoringMetrics.map(metricID),
      dimensions: [],
      cohortDays: null,
      waitsForCohort: false,
      maturesAfterEnd: false,
      fixedDays: null,
      analysisEnd: null,
      definitions: {},
    },
    health: null,
    loadedTime: null,
    loadedDay: null,
    dueDay: dayOfTime(key.start),
    lateEvents: {},
    isOpen: true,
  };
}

const isSplit = (percentage: number) => percentage > 0 && percentage < 100;

/** Returns the analyses of the measured rules of a gate, in their present phase. */
export function analysesOfGate(gate: Gate): Start[] {
  if (!gate.measureMetricLifts || gate.status !== 'In Progress') return [];
  return gate.rules
    .filter(({ passPercentage }) => isSplit(passPercentage))
    .map(({ id, passPercentage }) =>
      twoSided(
        'gate',
        gate,
        { id: `${gate.id}:${id}`, start: ruleStartTime(gate, id) },
        {
          control: { id: `${id}:off`, name: 'Fail', percentage: 100 - passPercentage },
          test: { id: `${id}:on`, name: 'Pass', percentage: passPercentage },
        },
      ),
    );
}

/** Returns the analysis of a holdout in its present phase: units with the launched changes against units held back. */
export function analysesOfHoldout(holdout: Holdout): Start[] {
  const { id, isEnabled, passPercentage, phaseTime, createdTime } = holdout;
  if (!isEnabled || !isSplit(passPercentage)) return [];
  return [
    twoSided(
      'holdout',
      holdout,
      { id, start: phaseTime ?? createdTime },
      {
        control: { id: 'true', name: 'Held back', percentage: passPercentage },
        test: { id: 'false', name: 'Not held back', percentage: 100 - passPercentage },
      },
    ),
  ];
}
