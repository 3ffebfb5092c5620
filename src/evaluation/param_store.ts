import { typeOfValue } from '../shared/value_types.ts';
import type { Asked, Context, Evaluation } from './context.ts';
import { evaluate } from './evaluate.ts';
import type { ParamStore, Spec, StoreParameter, Values } from './spec.ts';

/** The value of a parameter, what was evaluated for it, and which parameter of that it is. */
interface Taken {
  readonly value?: unknown;
  readonly evaluation?: Evaluation;
  readonly from?: string;
}

/** The spec that a parameter takes its value from. */
function sourceOf({ project }: Context, parameter: StoreParameter): Spec | undefined {
  const { gate_name, layer_name, config_name, experiment_name } = parameter;
  if (gate_name !== undefined) return project.gates.get(gate_name);
  if (layer_name !== undefined) return project.layers.get(layer_name);
  return project.configs.get(config_name ?? experiment_name ?? '');
}

function take(context: Context, parameter: StoreParameter): Taken {
  if (parameter.ref_type === 'static') return { value: parameter.value };
  const spec = sourceOf(context, parameter);
  if (!spec) return {};
  const evaluation = evaluate(context, spec);
  if (parameter.ref_type === 'gate') {
    const { pass_value, fail_value } = parameter;
    return { value: evaluation.passes ? pass_value : fail_value, evaluation };
  }
  const { param_name: from = '' } = parameter;
  return { value: parameterOf(evaluation.value, from), evaluation, from };
}

/** What was evaluated, each once, with the parameters that are taken of it. */
function askedOf(taken: readonly Taken[]): Asked[] {
  const parametersOf = new Map<Evaluation, string[]>();
  for (const { evaluation, from } of taken) {
    if (!evaluation) continue;
    const parameters = parametersOf.get(evaluation) ?? [];
    if (from !== undefined) parameters.push(from);
    parametersOf.set(evaluation, parameters);
  }
  return [...parametersOf].map(([evaluation, parameters]) => ({ evaluation, parameters }));
}

/** A parameter of a value; undefined where it has none of that name. */
export const parameterOf = (value: boolean | Values, name: string): unknown =>
  typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;

export interface StoreEvaluation {
  readonly values: Values;
  /** What was evaluated for them. */
  readonly asked: readonly Asked[];
}

/**
 * The parameters of a param store for a user: each from where it takes its value. One is left out where that has no
 * such parameter, or none of its type.
 * @param only the one parameter that is asked for
 */
export function evaluateStore(
  context: Context,
  { parameters }: ParamStore,
  only?: string,
): StoreEvaluation {
  const wanted = Object.entries(parameters).filter(([name]) => only === undefined || name === only);
  const taken = wanted.map(([name, parameter]) => {
    const found = take(context, parameter);
    return { name, ...found, fits: typeOfValue(found.value) === parameter.param_type };
  });
  return {
    values: Object.fromEntries(
      taken.filter(({ fits }) => fits).map(({ name, value }) => [name, value]),
    ),
    asked: askedOf(taken),
  };
}
