import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import type { Patch } from '../../shared/fields.ts';
import type { JSONObject } from '../../shared/json.ts';
import { misfitOf } from '../../shared/json_schema/schema.ts';
import { readJSON, readJSON5 } from '../../shared/json_text.ts';
import type { Rule } from '../../shared/rules.ts';
import type { DynamicConfig } from './schema.ts';

/** The fields that come in pairs: the twin says the same in JSON5. */
type Pairs = Pick<DynamicConfig, 'defaultValue' | 'defaultValueJson5' | 'schema' | 'schemaJson5'>;

/** A twin as it is given, or as it was where it still means the same, or else the plain field's JSON text. */
function twin(
  property: 'defaultValueJson5' | 'schemaJson5',
  given: string | undefined,
  old: string,
  plain: { meaning: JSONObject; text: string },
): string {
  if (given === undefined) return isEqual(readJSON5(old), plain.meaning) ? old : plain.text;
  if (isEqual(readJSON5(given), plain.meaning)) return given;
  throw Problem.property(property, `must mean the same as ${property.replace('Json5', '')}`);
}

/** The pairs after a change: of each, what is not given follows what is; 400 where the two differ. */
export function paired(old: Pairs, given: Patch<Pairs>): Pairs {
  const { defaultValueJson5: valueTwin, schemaJson5: schemaTwin } = given;
  const defaultValue =
    given.defaultValue ?? (valueTwin === undefined ? old.defaultValue : readJSON5(valueTwin));
  const schema =
    given.schema ?? (schemaTwin === undefined ? old.schema : JSON.stringify(readJSON5(schemaTwin)));
  const value = { meaning: defaultValue, text: JSON.stringify(defaultValue) };
  const parsed = { meaning: readJSON(schema), text: schema };
  return {
    defaultValue,
    defaultValueJson5: twin('defaultValueJson5', valueTwin, old.defaultValueJson5, value),
    schema,
    schemaJson5: twin('schemaJson5', schemaTwin, old.schemaJson5, parsed),
  };
}

/** The values of the rules of a config, and of their variants, with the property of each. */
const ruleValues = (rules: readonly Rule[]) =>
  rules.flatMap(({ returnValue, variants = [] }, index) => [
    ...(returnValue ? [{ property: `rules.${index}.returnValue`, value: returnValue }] : []),
    ...variants.map(({ returnValue: value }, variant) => {
      return { property: `rules.${index}.variants.${variant}.returnValue`, value };
    }),
  ]);

/** What a config hands on, one set of values for each case: what its default value has, as that and each rule has it. */
export function handedOn({ defaultValue, rules }: DynamicConfig): JSONObject[] {
  const own = ruleValues(rules).map(({ value }) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(defaultValue, name))),
  );
  return [defaultValue, ...own];
}

/** What a body calls a field that comes in a pair: its twin, where it has that alone. */
const twinSent = (property: 'defaultValue' | 'schema', given: Patch<Pairs>) =>
  given[property] === undefined && given[`${property}Json5`] !== undefined
    ? `${property}Json5`
    : property;

/** What finds how a value does not satisfy the schema of a config; 400 that names the schema where it is none. */
function misfitAsSent(schema: string, given: Patch<Pairs>): ReturnType<typeof misfitOf> {
  try {
    return misfitOf(schema);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw error.renamed(new Map([['schema', twinSent('schema', given)]]));
  }
}

/**
 * The same config, whose values satisfy its schema: 400 names each that does not.
 * @param given the body that it comes from, whose names are said
 */
export function fitting<C extends Pairs & { rules: Rule[] }>(
  config: C,
  given: Patch<Pairs> = {},
): C {
  const misfit = misfitAsSent(config.schema, given);
  const values = [
    { property: twinSent('defaultValue', given), value: config.defaultValue },
    ...ruleValues(config.rules),
  ];
  const errors = values.flatMap(({ property, value }) => {
    const found = misfit(value);
    return found ? [{ property, errorMessage: `does not satisfy the schema: ${found}` }] : [];
  });
  if (errors.length > 0) throw Problem.invalid(errors);
  return config;
}
