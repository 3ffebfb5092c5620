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

type Entity = Pick<Exposure, 'kind' | 'id' | 'start'> & { idType: string };

/** The exposure of a user's unit; none where it has none that can be stored. */
function exposed(
  { user, time }: Sighting,
  { idType: unitType, ...entity }: Entity,
  group: string,
  attributes: Record<string, unknown> = {},
): Exposure[] {
  const unit = textOf(unitOf(user, unitType));
  if (!unit || !isStorable(unit)) return [];
  const draw = analysisDraw(entity.kind, entity.id, unit);
  return [{ ...entity, unitType, unit, group, firstTime: time, draw, attributes }];
}

/**
 * Of two sides, keeps as many of the larger as there are of the smaller: otherwise a holdout of 1 % would record 99 % of
 * all units, and sides of unequal size break the test of a skewed metric.
 * @param share percent of the side that the exposure is on
 */
const balanced = (exposures: Exposure[], share: number): Exposure[] =>
  exposures.filter(({ draw }) => share <= 50 || draw < (drawCount * (100 - share)) / share);

function ofConfig(sighting: Sighting, { collections }: Snapshot): Exposure[] {
  const { id, ruleID, user } = sighting;
  const experiment = collections.experiments.get(id);
  if (experiment?.groups.some((group) => group.id === ruleID)) {
    const { idType, startTime, preComputedUserDimensions = [] } = experiment;
    const run = { kind: 'experiment', id, start: startTime ?? 0, idType };
    return exposed(sighting, run, ruleID, dimensionsOf(user, preComputedUserDimensions));
  }
  const autotune = collections.autotunes.get(id);
  const isDrawn = autotune?.status === 'active';
  if (!isDrawn || !autotune.variants.some(({ name }) => name === ruleID)) return [];
  const { idType, startTime } = autotune;
  return exposed(sighting, { kind: 'autotune', id, start: startTime ?? 0, idType }, ruleID);
}

function ofGate(sighting: Sighting, { collections }: Snapshot): Exposure[] {
  const { id, ruleID, passes } = sighting;
  const gate = collections.gates.get(id);
  const rule = gate?.rules.find((candidate) => candidate.id === ruleID);
  if (!gate?.measureMetricLifts || !rule) return [];
  const { passPercentage } = rule;
  if (passPercentage <= 0 || passPercentage >= 100) return [];
  const start = startOf(gate, ruleID);
  const entity = { kind: 'gate', id, start, idType: gate.idType };
  const all = exposed(sighting, entity, `${ruleID}:${passes ? 'on' : 'off'}`);
  return balanced(all, passes ? passPercentage : 100 - passPercentage);
}

/** The holdouts among the gates that were asked: who is held back, and who could have been. */
function ofHoldouts(sighting: Sighting, { collections }: Snapshot): Exposure[] {
  return sighting.secondary.flatMap(({ gate, gateValue, ruleID }) => {
    if (ruleID !== 'holdout' || collections.gates.get(gate)) return [];
    const holdout = collections.holdouts.get(gate.replace(/^holdout:/, ''));
    if (!holdout) return [];
    const { id, idType, passPercentage, phaseTime, createdTime } = holdout;
    const entity = { kind: 'holdout', id, start: phaseTime ?? createdTime, idType };
    const isHeld = gateValue === 'true';
    const share = isHeld ? passPercentage : 100 - passPercentage;
    return balanced(exposed(sighting, entity, String(isHeld)), share);
  });
}

/** The exposures that a sighting comes to (evaluation, section 9). Plain gates and configs have none. */
export function exposuresOf(sighting: Sighting, snapshot: Snapshot): Exposure[] {
  const own = { gate: ofGate, config: ofConfig, layer: () => [] }[sighting.list];
  return [...own(sighting, snapshot), ...ofHoldouts(sighting, snapshot)];
}

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
