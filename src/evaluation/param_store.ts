import type { Context, Evaluation } from './context.ts';
import { evaluate } from './evaluate.ts';
import type { ParamStore, Spec, StoreParameter, Values } from './spec.ts';

/** The JSON type of a value, by the names that parameters have for it. */
function typeOfJSON(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The value of a parameter, and what was evaluated for it. */
interface Taken {
  readonly value?: unknown;
  readonly evaluation?: Evaluation | undefined;
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
  return { value: parameterOf(evaluation.value, parameter.param_name ?? ''), evaluation };
}

/** A parameter of a value; undefined where it has none of that name. */
export const parameterOf = (value: boolean | Values, name: string): unknown =>
  typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;

export interface StoreEvaluation {
  readonly values: Values;
  /** What was evaluated for them. */
  readonly evaluations: readonly Evaluation[];
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
  const asked = Object.entries(parameters).filter(([name]) => only === undefined || name === only);
  const taken = asked.map(([name, parameter]) => {
    const { value, evaluation } = take(context, parameter);
    return { name, value, evaluation, fits: typeOfJSON(value) === parameter.param_type };
  });
  return {
    values: Object.fromEntries(
      taken.filter(({ fits }) => fits).map(({ name, value }) => [name, value]),
    ),
    evaluations: taken.flatMap(({ evaluation }) => evaluation ?? []),
  };
}
