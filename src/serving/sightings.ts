import type { Asked } from '../evaluation/context.ts';
import { explicitParameters } from '../evaluation/evaluate.ts';
import { textOf } from '../evaluation/readings.ts';
import type { Spec } from '../evaluation/spec.ts';
import { type User, unitOf } from '../evaluation/user.ts';
import { dimensionsOf, isStorable } from '../resources/exposures/dimensions.ts';
import { analysisDraw, drawCount } from '../resources/exposures/draw.ts';
import type { Exposure } from '../resources/exposures/table.ts';
import { startOf } from '../resources/gates/gate.ts';
import type { Snapshot } from './snapshot.ts';

/** A gate that was asked on the way. */
interface Secondary {
  readonly gate: string;
  readonly gateValue: string;
  readonly ruleID: string;
}

/** That a user was given something, by our own answer or as an SDK reports it. */
export interface Sighting {
  /** Which list of names `id` is of. */
  readonly list: 'gate' | 'config' | 'layer';
  readonly id: string;
  readonly ruleID: string;
  readonly passes: boolean;
  readonly secondary: readonly Secondary[];
  readonly user: User;
  /** Epoch milliseconds. */
  readonly time: number;
  /** Whether it counts as a check, or is only part of one. */
  readonly isCheck: boolean;
}

/** What an exposure is of, and the name of the spec that gave the group. */
type Entity = Pick<Exposure, 'kind' | 'id' | 'start'> & { idType: string; spec: string };

/** An exposure as it would be stored, with the rule that gave the group. */
export interface Candidate {
  readonly exposure: Exposure;
  readonly spec: string;
  readonly ruleID: string;
  /** Whether the unit passed the rule's percentage. */
  readonly passes: boolean;
}

/** The rule that gave a group, and whether the unit passed its percentage. */
type Given = Pick<Candidate, 'ruleID' | 'passes'>;

/** The exposure of the user's unit; none if the unit is missing or too long to be stored. */
function exposed(
  { user, time }: Sighting,
  { idType: unitType, spec, ...entity }: Entity,
  group: string,
  given: Given,
  attributes: Record<string, unknown> = {},
): Candidate[] {
  const unit = textOf(unitOf(user, unitType));
  if (!unit || !isStorable(unit)) return [];
  const draw = analysisDraw(entity.kind, entity.id, unit);
  const exposure = { ...entity, unitType, unit, group, firstTime: time, draw, attributes };
  return [{ exposure, spec, ...given }];
}

/**
 * Downsamples the larger of two sides to the size of the smaller: otherwise a holdout of 1 % would record 99 % of all
 * units, and sides of unequal size break the test of a skewed metric.
 * @param share percent of the side that the exposure is on
 */
const balanced = (candidates: Candidate[], share: number): Candidate[] =>
  candidates.filter(
    ({ exposure: { draw } }) => share <= 50 || draw < (drawCount * (100 - share)) / share,
  );

/** An experiment has exposures from its start until it is decided, stopped or archived. */
const isRunning = (status: string) => status === 'active' || status === 'assignment_stopped';

function ofConfig(sighting: Sighting, { collections }: Snapshot): Candidate[] {
  const { id, ruleID, user } = sighting;
  const given = { ruleID, passes: true };
  const experiment = collections.experiments.get(id);
  if (experiment?.groups.some((group) => group.id === ruleID)) {
    const { idType, startTime, status, preComputedUserDimensions = [] } = experiment;
    if (startTime === undefined || startTime === null || !isRunning(status)) return [];
    const run = { kind: 'experiment', id, start: startTime, idType, spec: id };
    return exposed(sighting, run, ruleID, given, dimensionsOf(user, preComputedUserDimensions));
  }
  const autotune = collections.autotunes.get(id);
  const isDrawn = autotune?.status === 'active';
  if (!isDrawn || !autotune.variants.some(({ name }) => name === ruleID)) return [];
  const { idType, startTime } = autotune;
  const run = { kind: 'autotune', id, start: startTime ?? 0, idType, spec: id };
  return exposed(sighting, run, ruleID, given);
}

function ofGate(sighting: Sighting, { collections }: Snapshot): Candidate[] {
  const { id, ruleID, passes } = sighting;
  const gate = collections.gates.get(id);
  const rule = gate?.rules.find((candidate) => candidate.id === ruleID);
  if (!gate?.measureMetricLifts || gate.status !== 'In Progress' || !rule) return [];
  const { passPercentage } = rule;
  if (passPercentage <= 0 || passPercentage >= 100) return [];
  const entity = {
    kind: 'gate',
    id,
    start: startOf(gate, ruleID),
    idType: gate.idType,
    spec: id,
  };
  const all = exposed(sighting, entity, `${ruleID}:${passes ? 'on' : 'off'}`, { ruleID, passes });
  return balanced(all, passes ? passPercentage : 100 - passPercentage);
}

/** The holdouts among the gates that were evaluated on the way: who is held back, and who could have been. */
function ofHoldouts(sighting: Sighting, { collections }: Snapshot): Candidate[] {
  return sighting.secondary.flatMap(({ gate, gateValue, ruleID }) => {
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
    return balanced(exposed(sighting, entity, String(passes), { ruleID, passes }), share);
  });
}

/** Returns the exposures that a sighting would store. Plain gates and configs have none. */
export function candidatesOf(sighting: Sighting, snapshot: Snapshot): Candidate[] {
  const own = { gate: ofGate, config: ofConfig, layer: () => [] }[sighting.list];
  return [...own(sighting, snapshot), ...ofHoldouts(sighting, snapshot)];
}

/** Returns the exposures of a sighting in one of our own responses, which are stored as they are. */
export const exposuresOf = (sighting: Sighting, snapshot: Snapshot): Exposure[] =>
  candidatesOf(sighting, snapshot).map(({ exposure }) => exposure);

/** Where what is counted as checked is looked for, by the list of its name. */
const counted = {
  gate: ['gates'],
  config: ['dynamicConfigs', 'experiments', 'autotunes'],
  layer: ['layers'],
} as const satisfies Record<Sighting['list'], readonly (keyof Snapshot['collections'])[]>;

/** What is counted as checked under a name, as kind and id; nothing for an unknown name. */
export function checkedUnder(
  list: Sighting['list'],
  id: string,
  { collections }: Snapshot,
): { kind: string; id: string } | undefined {
  const found = counted[list].map((name) => collections[name]).find((each) => each.get(id));
  return found && { kind: found.source.kind, id };
}

/** Which list the name of a spec is in. */
function listOf({ type, entity }: Spec): Sighting['list'] {
  if (type === 'feature_gate') return 'gate';
  return entity === 'layer' ? 'layer' : 'config';
}

/** What our own answer shows to a user. Parameters of a layer that its experiment does not set itself say nothing of it. */
export function sightingsOf(
  { evaluation, parameters }: Asked,
  user: User,
  time: number,
): Sighting[] {
  const { spec, ruleID, passes, delegate } = evaluation;
  const list = listOf(spec);
  const explicit = explicitParameters(evaluation) ?? [];
  const isExplicit = !parameters || parameters.some((name) => explicit.includes(name));
  const secondary = isExplicit ? evaluation.exposures : evaluation.undelegated;
  const own = { list, id: spec.name, ruleID, passes, secondary, user, time, isCheck: true };
  if (!delegate || !isExplicit) return [own];
  const { name: id } = delegate.spec;
  return [own, { ...own, list: 'config', id, secondary: [], isCheck: false }];
}
