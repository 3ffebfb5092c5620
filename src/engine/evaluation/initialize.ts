import { memoizeText } from '../../base/memoize.ts';
import type { EvaluatedExposure, Evaluation, EvaluationContext } from './context.ts';
import { evaluate, explicitParameters, groupName } from './evaluate.ts';
import { base64Hash, djb2 } from './hash.ts';
import { isMissing } from './readings.ts';
import {
  configKinds,
  type FlagKind,
  type Spec,
  type SpecParamStore,
  type StoreParameter,
} from './spec.ts';
import type { EvaluatedUser } from './user.ts';

export type NameHash = 'none' | 'djb2' | 'sha256';

type Hashing = (name: string) => string;

/** Computing the hashes took most of the time of a response. */
const maxNames = 50_000;

export const hashings: Record<NameHash, Hashing> = {
  none: (name) => name,
  djb2,
  sha256: memoizeText(maxNames, base64Hash),
};

const hashedExposures = (exposures: readonly EvaluatedExposure[], hashName: Hashing) =>
  exposures.map(({ gate, gateValue, ruleID }) => ({ gate: hashName(gate), gateValue, ruleID }));

function initializedGate({ spec, passes, ruleID, exposures }: Evaluation, hashName: Hashing) {
  return {
    name: hashName(spec.name),
    value: passes,
    rule_id: ruleID,
    secondary_exposures: hashedExposures(exposures, hashName),
    id_type: spec.idType,
  };
}

const isInExperimentGroup = ({ rule }: Evaluation) => rule?.isExperimentGroup ?? false;

const isOfActiveSpec = ({ spec }: Evaluation) => spec.isActive ?? false;

interface DifferingMembers {
  readonly id_type?: string;
  readonly passed?: boolean | undefined;
  readonly is_user_in_experiment?: boolean | undefined;
  readonly is_experiment_active?: boolean | undefined;
  readonly is_in_layer?: boolean | undefined;
  readonly explicit_parameters?: readonly string[] | undefined;
  readonly undelegated_secondary_exposures?: readonly EvaluatedExposure[];
  readonly allocated_experiment_name?: string | undefined;
}

/** Written out as one shape, because spreading objects took three quarters of the time. */
function valueResponse(evaluation: Evaluation, hashName: Hashing, members: DifferingMembers) {
  const { spec, value, ruleID, exposures } = evaluation;
  return {
    name: hashName(spec.name),
    value,
    group: ruleID,
    rule_id: ruleID,
    group_name: groupName(evaluation) ?? undefined,
    is_device_based: spec.idType.toLowerCase() === 'stableid',
    secondary_exposures: hashedExposures(exposures, hashName),
    id_type: members.id_type,
    passed: members.passed,
    is_user_in_experiment: members.is_user_in_experiment,
    is_experiment_active: members.is_experiment_active,
    is_in_layer: members.is_in_layer,
    explicit_parameters: members.explicit_parameters,
    undelegated_secondary_exposures: members.undelegated_secondary_exposures,
    allocated_experiment_name: members.allocated_experiment_name,
  };
}

function configResponse(evaluation: Evaluation, hashName: Hashing) {
  const { spec, passes } = evaluation;
  const isExperiment = spec.entity === 'experiment';
  return valueResponse(evaluation, hashName, {
    id_type: spec.idType,
    passed: spec.entity === 'dynamic_config' ? passes : undefined,
    is_user_in_experiment: isExperiment ? isInExperimentGroup(evaluation) : undefined,
    is_experiment_active: isExperiment ? isOfActiveSpec(evaluation) : undefined,
    is_in_layer: spec.hasSharedParams,
    explicit_parameters: spec.explicitParameters,
  });
}

function layerResponse(evaluation: Evaluation, hashName: Hashing) {
  const { delegate, undelegated } = evaluation;
  return valueResponse(evaluation, hashName, {
    explicit_parameters: explicitParameters(evaluation) ?? [],
    undelegated_secondary_exposures: hashedExposures(undelegated, hashName),
    allocated_experiment_name: delegate && hashName(delegate.spec.name),
    is_experiment_active: delegate && isOfActiveSpec(delegate),
    is_user_in_experiment: delegate && isInExperimentGroup(delegate),
  });
}

const nameMembers = ['gate_name', 'config_name', 'experiment_name', 'layer_name'] as const;

function hashedParameter(name: string, parameter: StoreParameter, hashName: Hashing) {
  const names = nameMembers.flatMap((member) => {
    const named = parameter[member];
    return named === undefined ? [] : [[member, hashName(named)]];
  });
  return { name, ...parameter, ...Object.fromEntries(names) };
}

const storeResponse = ({ parameters }: SpecParamStore, hashName: Hashing) =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [
      name,
      hashedParameter(name, parameter, hashName),
    ]),
  );

/** Unit IDs repeated in a response, so that 4 MiB of IDs do not make a response as large. */
const maxEchoedIDs = 20;

function evaluatedKeys({ fields, customIDs }: EvaluatedUser) {
  const ids = Object.keys(customIDs)
    .slice(0, maxEchoedIDs)
    .map((type) => [type, customIDs[type]]);
  return {
    ...(!isMissing(fields.userID) && fields.userID !== '' && { userID: fields.userID }),
    ...(ids.length > 0 && { customIDs: Object.fromEntries(ids) }),
  };
}

function responsesByID<E, A>(
  { project: { flags } }: EvaluationContext,
  kinds: readonly FlagKind[],
  entities: ReadonlyMap<string, E>,
  respond: (entity: E) => A,
  hashName: Hashing,
): Record<string, A> {
  const entries: [string, A][] = [];
  for (const { kind, id } of flags) {
    const entity = kinds.includes(kind) ? entities.get(id) : undefined;
    if (entity) entries.push([hashName(id), respond(entity)]);
  }
  return Object.fromEntries(entries);
}

/** Evaluates all flags for a client SDK, without conditions, targets, rule names, holdouts and segments. */
export function initialize(
  context: EvaluationContext,
  { hash, time }: { hash: NameHash; time: number },
) {
  const { gates, configs, layers, paramStores } = context.project;
  const hashName = hashings[hash];
  const evaluateWith =
    <A>(respond: (evaluation: Evaluation, hashName: Hashing) => A) =>
    (spec: Spec) =>
      respond(evaluate(context, spec), hashName);
  const respondWithStore = (store: SpecParamStore) => storeResponse(store, hashName);
  return {
    feature_gates: responsesByID(context, ['gate'], gates, evaluateWith(initializedGate), hashName),
    dynamic_configs: responsesByID(
      context,
      configKinds,
      configs,
      evaluateWith(configResponse),
      hashName,
    ),
    layer_configs: responsesByID(context, ['layer'], layers, evaluateWith(layerResponse), hashName),
    param_stores: responsesByID(context, ['param_store'], paramStores, respondWithStore, hashName),
    has_updates: true as const,
    time,
    hash_used: hash,
    sdkParams: {},
    evaluated_keys: evaluatedKeys(context.user),
  };
}
