import { typeOfValue } from '../../base/value_types.ts';
import type { Evaluation, EvaluationContext, UsedEvaluation } from './context.ts';
import { evaluate } from './evaluate.ts';
import type { ParameterValues, Spec, SpecParamStore, StoreParameter } from './spec.ts';

interface ParameterValue {
  readonly value?: unknown;
  readonly evaluation?: Evaluation;
  readonly from?: string;
}

function specOfParameter(
  { project }: EvaluationContext,
  parameter: StoreParameter,
): Spec | undefined {
  const { gate_name, layer_name, config_name, experiment_name } = parameter;
  if (gate_name !== undefined) return project.gates.get(gate_name);
  if (layer_name !== undefined) return project.layers.get(layer_name);
  return project.configs.get(config_name ?? experiment_name ?? '');
}

function evaluateParameter(context: EvaluationContext, parameter: StoreParameter): ParameterValue {
  if (parameter.ref_type === 'static') return { value: parameter.value };
  const spec = specOfParameter(context, parameter);
  if (!spec) return {};
  const evaluation = evaluate(context, spec);
  if (parameter.ref_type === 'gate') {
    const { pass_value, fail_value } = parameter;
    return { value: evaluation.passes ? pass_value : fail_value, evaluation };
  }
  const { param_name: from = '' } = parameter;
  return { value: parameterOf(evaluation.value, from), evaluation, from };
}

function usedEvaluations(results: readonly ParameterValue[]): UsedEvaluation[] {
  const parametersOf = new Map<Evaluation, string[]>();
  for (const { evaluation, from } of results) {
    if (!evaluation) continue;
    const parameters = parametersOf.get(evaluation) ?? [];
    if (from !== undefined) parameters.push(from);
    parametersOf.set(evaluation, parameters);
  }
  return [...parametersOf].map(([evaluation, parameters]) => ({ evaluation, parameters }));
}

/** Returns undefined if the value has no such parameter. */
export const parameterOf = (value: boolean | ParameterValues, name: string): unknown =>
  typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;

export interface StoreEvaluation {
  readonly values: ParameterValues;
  readonly evaluations: readonly UsedEvaluation[];
}

/** Evaluates all parameters or `only` one. Those without a value of the right type are left out. */
export function evaluateStore(
  context: EvaluationContext,
  { parameters }: SpecParamStore,
  only?: string,
): StoreEvaluation {
  const wanted = Object.entries(parameters).filter(([name]) => only === undefined || name === only);
  const results = wanted.map(([name, parameter]) => {
    const found = evaluateParameter(context, parameter);
    return { name, ...found, fits: typeOfValue(found.value) === parameter.param_type };
  });
  return {
    values: Object.fromEntries(
      results.filter(({ fits }) => fits).map(({ name, value }) => [name, value]),
    ),
    evaluations: usedEvaluations(results),
  };
}
