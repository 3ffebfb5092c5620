import { memoize } from '../../base/memoize.ts';
import type { Evaluation, EvaluationContext, UsedEvaluation } from './context.ts';
import { evaluate, explicitParameters, groupName } from './evaluate.ts';
import { evaluateStore, parameterOf } from './param_store.ts';
import { type EvaluationReason, evaluationReason } from './reason.ts';
import {
  configKinds,
  type Flag,
  type FlagKind,
  flagKinds,
  listOfKind,
  type Project,
  type Spec,
  type SpecParamStore,
} from './spec.ts';

export interface FlagKey {
  readonly flag: Flag;
  readonly parameter?: string;
}

const prefixes: ReadonlyMap<string, readonly FlagKind[]> = new Map([
  ['gate', ['gate']],
  ['config', configKinds],
  ['experiment', ['experiment']],
  ['autotune', ['autotune']],
  ['layer', ['layer']],
  ['param_store', ['param_store']],
]);

const byID = memoize((flags: readonly Flag[]): ReadonlyMap<string, readonly Flag[]> => {
  const index = new Map(flags.map(({ id }): [string, Flag[]] => [id, []]));
  for (const flag of flags) index.get(flag.id)?.push(flag);
  return index;
});

/** Finds a flag by `id` (the oldest), `kind:id` or, except for gates, `kind:id:parameter`. */
export function findFlag({ flags }: Project, key: string): FlagKey | undefined {
  const [, prefix, id = key, parameter] = /^(\w+):([^:]*)(?::(.*))?$/s.exec(key) ?? [];
  const named = byID(flags).get(id) ?? [];
  const kinds = prefix === undefined ? flagKinds : (prefixes.get(prefix) ?? []);
  const flag = named.find(({ kind }) => kinds.includes(kind));
  if (!flag || (parameter !== undefined && flag.kind === 'gate')) return undefined;
  return parameter === undefined ? { flag } : { flag, parameter };
}

/** Whether a flag with the ID has one of the kinds. */
export const hasFlag = ({ flags }: Project, kinds: readonly FlagKind[], id: string): boolean =>
  byID(flags)
    .get(id)
    ?.some(({ kind }) => kinds.includes(kind)) === true;

/** Returns all flags with their keys: the ID, or `kind:id` if an older flag has the ID. */
export const flagKeys = memoize(
  ({ flags }: Project): readonly { readonly key: string; readonly flag: Flag }[] => {
    const taken = new Set<string>();
    return flags.map((flag) => {
      const key = taken.has(flag.id) ? `${flag.kind}:${flag.id}` : flag.id;
      taken.add(flag.id);
      return { key, flag };
    });
  },
);

export interface FlagEvaluation {
  /** Undefined if the app uses its default. */
  readonly value?: unknown;
  readonly reason: EvaluationReason;
  readonly variant?: string | undefined;
  /** Only numbers, texts and booleans, because SDKs drop other values. */
  readonly metadata: Readonly<Record<string, string | number | boolean>>;
  readonly missingUnit: string | undefined;
  readonly evaluations: readonly UsedEvaluation[];
}

/** Returns undefined for an autotune, or an experiment without a layer, if the user is in no group. */
function valueOfUser(evaluation: Evaluation): Evaluation['value'] | undefined {
  const { entity, hasSharedParams } = evaluation.spec;
  const isAlone = entity === 'autotune' || (entity === 'experiment' && !hasSharedParams);
  return isAlone && groupName(evaluation) === null ? undefined : evaluation.value;
}

function variantOf(evaluation: Evaluation): string | undefined {
  if (evaluation.spec.entity !== 'feature_gate') return groupName(evaluation) ?? undefined;
  return evaluation.passes ? 'on' : 'off';
}

function flagMetadata({ flag, parameter }: FlagKey, evaluation: Evaluation) {
  const { spec, ruleID, delegate } = evaluation;
  const { kind, id } = flag;
  const common = { kind, id, ruleID, version: spec.version, idType: spec.idType };
  if (kind !== 'layer') return common;
  const explicit = explicitParameters(evaluation) ?? [];
  return {
    ...common,
    ...(delegate && { experiment: delegate.spec.name }),
    ...(parameter !== undefined && { explicit: explicit.includes(parameter) }),
  };
}

function evaluateSpec(context: EvaluationContext, key: FlagKey, spec: Spec): FlagEvaluation {
  const evaluation = evaluate(context, spec);
  const { passes, missingUnit } = evaluation;
  const given = spec.type === 'feature_gate' ? passes : valueOfUser(evaluation);
  const isPart = key.parameter !== undefined && given !== undefined;
  const value = isPart ? parameterOf(given, key.parameter) : given;
  return {
    value,
    reason: evaluationReason(evaluation, context.project),
    variant: variantOf(evaluation),
    metadata: flagMetadata(key, evaluation),
    missingUnit,
    evaluations: [
      { evaluation, parameters: key.parameter === undefined ? undefined : [key.parameter] },
    ],
  };
}

function evaluateParamStore(
  context: EvaluationContext,
  key: FlagKey,
  store: SpecParamStore,
): FlagEvaluation {
  const { flag, parameter } = key;
  const { values, evaluations } = evaluateStore(context, store, parameter);
  const value = parameter === undefined ? values : parameterOf(values, parameter);
  const isStatic = Object.values(store.parameters).every(({ ref_type }) => ref_type === 'static');
  return {
    value,
    reason: isStatic ? 'STATIC' : 'TARGETING_MATCH',
    metadata: { kind: flag.kind, id: flag.id, version: store.version },
    missingUnit: evaluations
      .map(({ evaluation }) => evaluation.missingUnit)
      .find((unit) => unit !== undefined),
    evaluations,
  };
}

/** Evaluates a flag or one of its parameters; undefined if the project has no such flag. */
export function evaluateFlag(context: EvaluationContext, key: FlagKey): FlagEvaluation | undefined {
  const { kind, id } = key.flag;
  if (kind === 'param_store') {
    const store = context.project.paramStores.get(id);
    return store && evaluateParamStore(context, key, store);
  }
  const spec = context.project[listOfKind[kind]].get(id);
  return spec && evaluateSpec(context, key, spec);
}
