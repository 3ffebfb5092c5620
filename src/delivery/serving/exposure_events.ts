import { storedUnitType } from '../../base/unit_types.ts';
import { attributesOf, isStorable } from '../../data/exposures/dimensions.ts';
import { analysisDraw, analysisDraws, type Exposure } from '../../data/exposures/table.ts';
import type { UsedEvaluation } from '../../engine/evaluation/context.ts';
import { explicitParameters } from '../../engine/evaluation/evaluate.ts';
import { textOfValue } from '../../engine/evaluation/readings.ts';
import type { Spec } from '../../engine/evaluation/spec.ts';
import { type EvaluatedUser, unitOf } from '../../engine/evaluation/user.ts';
import { ruleStartTime } from '../../flags/gates/gate.ts';
import type { Snapshot } from './snapshot.ts';

interface Secondary {
  readonly gate: string;
  readonly gateValue: string;
  readonly ruleID: string;
}

/** A user got a value, in our own response or as reported by an SDK. */
export interface ExposureEvent {
  /** The list of the spec's name `id`. */
  readonly list: 'gate' | 'config' | 'layer';
  readonly id: string;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly secondary: readonly Secondary[];
  readonly user: EvaluatedUser;
  readonly sender: Exposure['sender'];
  readonly sdkType?: string | undefined;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Whether it counts as a check. The experiment of a layer's event does not. */
  readonly isCheck: boolean;
}

type ExposedEntity = Pick<Exposure, 'kind' | 'id' | 'start'> & { idType: string; spec: string };

export interface Candidate {
  readonly exposure: Exposure;
  readonly spec: string;
  readonly ruleID: string;
  /** Whether the unit passed the rule's pass percentage. */
  readonly passes: boolean;
}

type RuleResult = Pick<Candidate, 'ruleID' | 'passes'>;

/** Empty if the unit ID is missing, or too long to be stored. */
function candidatesFor(
  { user, time, sender }: ExposureEvent,
  { idType, spec, ...entity }: ExposedEntity,
  group: string,
  ruleResult: RuleResult,
  attributes: Record<string, unknown> = {},
): Candidate[] {
  const unit = textOfValue(unitOf(user, idType));
  if (!unit || !isStorable(unit)) return [];
  const draw = analysisDraw(entity.kind, entity.id, unit);
  const unitType = storedUnitType(idType);
  const exposure = { ...entity, unitType, unit, group, firstTime: time, draw, attributes, sender };
  return [{ exposure, spec, ...ruleResult }];
}

/** A holdout of 1% would record 99% of units, and unequal groups break tests of skewed metrics. `share` in percent. */
const downsampled = (candidates: Candidate[], share: number): Candidate[] =>
  candidates.filter(
    ({ exposure: { draw } }) => share <= 50 || draw < (analysisDraws * (100 - share)) / share,
  );

const isRunning = (status: string) => status === 'active' || status === 'assignment_stopped';

function configCandidates(exposureEvent: ExposureEvent, { collections }: Snapshot): Candidate[] {
  const { id, ruleID, user, sdkType } = exposureEvent;
  const ruleResult = { ruleID, passes: true };
  const experiment = collections.experiments.get(id);
  if (experiment?.groups.some((group) => group.id === ruleID)) {
    const { idType, startTime, status, preComputedUserDimensions = [] } = experiment;
    if (startTime === undefined || startTime === null || !isRunning(status)) return [];
    const run = { kind: 'experiment', id, start: startTime, idType, spec: id };
    return candidatesFor(
      exposureEvent,
      run,
      ruleID,
      ruleResult,
      attributesOf(user, preComputedUserDimensions, sdkType),
    );
  }
  const autotune = collections.autotunes.get(id);
  const isDrawn = autotune?.status === 'active';
  if (!isDrawn || !autotune.variants.some(({ name }) => name === ruleID)) return [];
  const { idType, startTime } = autotune;
  const run = { kind: 'autotune', id, start: startTime ?? 0, idType, spec: id };
  return candidatesFor(exposureEvent, run, ruleID, ruleResult);
}

function gateCandidates(exposureEvent: ExposureEvent, { collections }: Snapshot): Candidate[] {
  const { id, ruleID, passes } = exposureEvent;
  const gate = collections.gates.get(id);
  const rule = gate?.rules.find((candidate) => candidate.id === ruleID);
  if (!gate?.measureMetricLifts || gate.status !== 'In Progress' || !rule) return [];
  const { passPercentage } = rule;
  if (passPercentage <= 0 || passPercentage >= 100) return [];
  const entity = {
    kind: 'gate',
    id,
    start: ruleStartTime(gate, ruleID),
    idType: gate.idType,
    spec: id,
  };
  const all = candidatesFor(exposureEvent, entity, `${ruleID}:${passes ? 'on' : 'off'}`, {
    ruleID,
    passes,
  });
  return downsampled(all, passes ? passPercentage : 100 - passPercentage);
}

function holdoutCandidates(exposureEvent: ExposureEvent, { collections }: Snapshot): Candidate[] {
  return exposureEvent.secondary.flatMap(({ gate, gateValue, ruleID }) => {
    if (ruleID !== 'holdout' || collections.gates.get(gate)) return [];
    const holdout = collections.holdouts.get(gate.replace(/^holdout:/, ''));
    if (!holdout?.isEnabled) return [];
    const { id, idType, passPercentage, phaseTime, createdTime } = holdout;
    const entity = {
      kind: 'holdout',
      id,
      start: phaseTime ?? createdTime,
      idType,
      spec: gate,
    };
    const passes = gateValue === 'true';
    const share = passes ? passPercentage : 100 - passPercentage;
    return downsampled(
      candidatesFor(exposureEvent, entity, String(passes), { ruleID, passes }),
      share,
    );
  });
}

/** Returns the exposures that an event could store. Gates without measured rules and dynamic configs have none. */
export function candidatesOf(exposureEvent: ExposureEvent, snapshot: Snapshot): Candidate[] {
  const candidatesOfList = { gate: gateCandidates, config: configCandidates, layer: () => [] }[
    exposureEvent.list
  ];
  return [
    ...candidatesOfList(exposureEvent, snapshot),
    ...holdoutCandidates(exposureEvent, snapshot),
  ];
}

/** Returns the exposures of an event in our own response, which are stored unverified. */
export const candidateExposures = (exposureEvent: ExposureEvent, snapshot: Snapshot): Exposure[] =>
  candidatesOf(exposureEvent, snapshot).map(({ exposure }) => exposure);

const checkedCollections = {
  gate: ['gates'],
  config: ['dynamicConfigs', 'experiments', 'autotunes'],
  layer: ['layers'],
} as const satisfies Record<ExposureEvent['list'], readonly (keyof Snapshot['collections'])[]>;

/** Returns the entity that checks of a name count for; undefined for an unknown name. */
export function checkedEntity(
  list: ExposureEvent['list'],
  id: string,
  { collections }: Snapshot,
): { kind: string; id: string } | undefined {
  const found = checkedCollections[list]
    .map((name) => collections[name])
    .find((each) => each.get(id));
  return found && { kind: found.source.kind, id };
}

function listOfSpec({ type, entity }: Spec): ExposureEvent['list'] {
  if (type === 'feature_gate') return 'gate';
  return entity === 'layer' ? 'layer' : 'config';
}

/** Layer parameters that the experiment does not set do not expose it. */
export function exposureEventsOf(
  { evaluation, parameters }: UsedEvaluation,
  user: EvaluatedUser,
  sender: Exposure['sender'],
  time: number,
): ExposureEvent[] {
  const { spec, ruleID, passes, delegate } = evaluation;
  const list = listOfSpec(spec);
  const explicit = explicitParameters(evaluation) ?? [];
  const isExplicit = !parameters || parameters.some((name) => explicit.includes(name));
  const secondary = isExplicit ? evaluation.exposures : evaluation.undelegated;
  const event = {
    list,
    id: spec.name,
    ruleID,
    passes,
    secondary,
    user,
    sender,
    time,
    isCheck: true,
  };
  if (!delegate || !isExplicit) return [event];
  const { name: id } = delegate.spec;
  return [event, { ...event, list: 'config', id, secondary: [], isCheck: false }];
}
