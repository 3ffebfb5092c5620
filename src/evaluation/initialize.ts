import { remembering } from '../shared/made_once.ts';
import type { Context, Evaluation, Exposure } from './context.ts';
import { evaluate, explicitParameters, groupName } from './evaluate.ts';
import { base64Hash, djb2 } from './hash.ts';
import { isMissing } from './readings.ts';
import {
  configKinds,
  type FlagKind,
  type ParamStore,
  type Spec,
  type StoreParameter,
} from './spec.ts';
import type { User } from './user.ts';

/** How the names in an answer are hidden. */
export type NameHash = 'none' | 'djb2' | 'sha256';

type Hashing = (name: string) => string;

/** How many names are remembered with their SHA-256: to compute these anew took most of the time of an answer. */
const mostNames = 50_000;

/** How a name is hidden in each way. */
export const hashings: Record<NameHash, Hashing> = {
  none: (name) => name,
  djb2,
  sha256: remembering(mostNames, base64Hash),
};

const hashedExposures = (exposures: readonly Exposure[], hashed: Hashing) =>
  exposures.map(({ gate, gateValue, ruleID }) => ({ gate: hashed(gate), gateValue, ruleID }));

function gateAnswer({ spec, passes, ruleID, exposures }: Evaluation, hashed: Hashing) {
  return {
    name: hashed(spec.name),
    value: passes,
    rule_id: ruleID,
    secondary_exposures: hashedExposures(exposures, hashed),
    id_type: spec.idType,
  };
}

/** Whether a user was drawn into an experiment. */
const isDrawn = ({ rule }: Evaluation) => rule?.isExperimentGroup ?? false;

/** Whether an experiment still draws users. */
const isActive = ({ spec }: Evaluation) => spec.isActive ?? false;

/** What configs and layers do not answer alike. */
interface Particulars {
  readonly id_type?: string;
  readonly passed?: boolean | undefined;
  readonly is_user_in_experiment?: boolean | undefined;
  readonly is_experiment_active?: boolean | undefined;
  readonly is_in_layer?: boolean | undefined;
  readonly explicit_parameters?: readonly string[] | undefined;
  readonly undelegated_secondary_exposures?: readonly Exposure[];
  readonly allocated_experiment_name?: string | undefined;
}

/**
 * The value of a config or layer. What is undefined is not sent. All have one shape, written out: objects spread into
 * each other took three quarters of the time of an answer.
 */
function valueAnswer(evaluation: Evaluation, hashed: Hashing, particulars: Particulars) {
  const { spec, value, ruleID, exposures } = evaluation;
  return {
    name: hashed(spec.name),
    value,
    group: ruleID,
    rule_id: ruleID,
    group_name: groupName(evaluation) ?? undefined,
    is_device_based: spec.idType.toLowerCase() === 'stableid',
    secondary_exposures: hashedExposures(exposures, hashed),
    id_type: particulars.id_type,
    passed: particulars.passed,
    is_user_in_experiment: particulars.is_user_in_experiment,
    is_experiment_active: particulars.is_experiment_active,
    is_in_layer: particulars.is_in_layer,
    explicit_parameters: particulars.explicit_parameters,
    undelegated_secondary_exposures: particulars.undelegated_secondary_exposures,
    allocated_experiment_name: particulars.allocated_experiment_name,
  };
}

function configAnswer(evaluation: Evaluation, hashed: Hashing) {
  const { spec, passes } = evaluation;
  const isExperiment = spec.entity === 'experiment';
  return valueAnswer(evaluation, hashed, {
    id_type: spec.idType,
    passed: spec.entity === 'dynamic_config' ? passes : undefined,
    is_user_in_experiment: isExperiment ? isDrawn(evaluation) : undefined,
    is_experiment_active: isExperiment ? isActive(evaluation) : undefined,
    is_in_layer: spec.hasSharedParams,
    explicit_parameters: spec.explicitParameters,
  });
}

function layerAnswer(evaluation: Evaluation, hashed: Hashing) {
  const { delegate, undelegated } = evaluation;
  return valueAnswer(evaluation, hashed, {
    explicit_parameters: explicitParameters(evaluation) ?? [],
    undelegated_secondary_exposures: hashedExposures(undelegated, hashed),
    allocated_experiment_name: delegate && hashed(delegate.spec.name),
    is_experiment_active: delegate && isActive(delegate),
    is_user_in_experiment: delegate && isDrawn(delegate),
  });
}

const nameMembers = ['gate_name', 'config_name', 'experiment_name', 'layer_name'] as const;

/** A parameter of a store, in which what it names is hidden like everywhere in the answer. */
function hashedParameter(name: string, parameter: StoreParameter, hashed: Hashing) {
  const names = nameMembers.flatMap((member) => {
    const named = parameter[member];
    return named === undefined ? [] : [[member, hashed(named)]];
  });
  return { name, ...parameter, ...Object.fromEntries(names) };
}

const storeAnswer = ({ parameters }: ParamStore, hashed: Hashing) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      hashedParameter(name, parameter, hashed),
    ]),
  );

/** How many ids a response repeats: a user of 4 MiB of ids must not make a response of as many. */
const maxEchoedIDs = 20;

/** The unit ids that an answer is for. */
function evaluatedKeys({ fields, customIDs }: User) {
  const ids = Object.keys(customIDs)
    .slice(0, maxEchoedIDs)
    .map((type) => [type, customIDs[type]]);
  return {
    ...(!isMissing(fields.userID) && fields.userID !== '' && { userID: fields.userID }),
    ...(ids.length > 0 && { customIDs: Object.fromEntries(ids) }),
  };
}

/** The answers for the flags of some kinds, by their hashed names. */
function answers<E, A>(
  { project: { flags } }: Context,
  kinds: readonly FlagKind[],
  entities: ReadonlyMap<string, E>,
  answer: (entity: E) => A,
  hashed: Hashing,
): Record<string, A> {
  const answered: [string, A][] = [];
  for (const { kind, id } of flags) {
    const entity = kinds.includes(kind) ? entities.get(id) : undefined;
    if (entity) answered.push([hashed(id), answer(entity)]);
  }
  return Object.fromEntries(answered);
}

/**
 * Everything that a user gets, as client SDKs take it on their start: no condition, target or rule name is in it, and
 * holdouts and segments only by their effect.
 * @param time of the spec, as in downloads
 */
export function initialize(context: Context, { hash, time }: { hash: NameHash; time: number }) {
  const { gates, configs, layers, paramStores } = context.project;
  const hashed = hashings[hash];
  const by =
    <A>(answer: (evaluation: Evaluation, hashed: Hashing) => A) =>
    (spec: Spec) =>
      answer(evaluate(context, spec), hashed);
  const storeBy = (store: ParamStore) => storeAnswer(store, hashed);
  return {
    feature_gates: answers(context, ['gate'], gates, by(gateAnswer), hashed),
    dynamic_configs: answers(context, configKinds, configs, by(configAnswer), hashed),
    layer_configs: answers(context, ['layer'], layers, by(layerAnswer), hashed),
    param_stores: answers(context, ['param_store'], paramStores, storeBy, hashed),
    has_updates: true as const,
    time,
    hash_used: hash,
    sdkParams: {},
    evaluated_keys: evaluatedKeys(context.user),
  };
}
