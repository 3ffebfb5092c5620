import { isEqual } from '../../base/equal.ts';
import type { Patch } from '../../base/fields.ts';
import type { JSONObject } from '../../base/json.ts';
import { readJSON, readJSON5 } from '../../base/json_text.ts';
import { Problem } from '../../base/problem.ts';
import { misfitOf } from '../json_schema/schema.ts';
import type { Rule } from '../rules/rules.ts';
import type { DynamicConfig } from './schema.ts';

type Pairs = Pick<DynamicConfig, 'defaultValue' | 'defaultValueJson5' | 'schema' | 'schemaJson5'>;

function json5TextFor(
  property: 'defaultValueJson5' | 'schemaJson5',
  given: string | undefined,
  old: string,
  plain: { meaning: JSONObject; text: string },
): string {
  if (given === undefined) return isEqual(readJSON5(old), plain.meaning) ? old : plain.text;
  if (isEqual(readJSON5(given), plain.meaning)) return given;
  throw Problem.property(
    property,
    `must have the same content as ${property.replace('Json5', '')}`,
  );
}

/** Derives the field of each pair that a body leaves out. @throws Problem 400 if the two fields of a pair differ. */
export function syncPairs(old: Pairs, given: Patch<Pairs>): Pairs {
  const { defaultValueJson5: valueJSON5, schemaJson5: schemaJSON5 } = given;
  const defaultValue =
    given.defaultValue ?? (valueJSON5 === undefined ? old.defaultValue : readJSON5(valueJSON5));
  const schema =
    given.schema ??
    (schemaJSON5 === undefined ? old.schema : JSON.stringify(readJSON5(schemaJSON5)));
  const value = { meaning: defaultValue, text: JSON.stringify(defaultValue) };
  const parsed = { meaning: readJSON(schema), text: schema };
  return {
    defaultValue,
    defaultValueJson5: json5TextFor('defaultValueJson5', valueJSON5, old.defaultValueJson5, value),
    schema,
    schemaJson5: json5TextFor('schemaJson5', schemaJSON5, old.schemaJson5, parsed),
  };
}

const ruleValues = (rules: readonly Rule[]) =>
  rules.flatMap(({ returnValue, variants = [] }, index) => [
    ...(returnValue ? [{ property: `rules.${index}.returnValue`, value: returnValue }] : []),
    ...variants.map(({ returnValue: value }, variant) => {
      return { property: `rules.${index}.variants.${variant}.returnValue`, value };
    }),
  ]);

/** Returns the values that a config can have, reduced to the keys of the default value. */
export function valueCases({ defaultValue, rules }: DynamicConfig): JSONObject[] {
  const own = ruleValues(rules).map(({ value }) =>
    Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(defaultValue, name))),
  );
  return [defaultValue, ...own];
}

const sentName = (property: 'defaultValue' | 'schema', given: Patch<Pairs>) =>
  given[property] === undefined && given[`${property}Json5`] !== undefined
    ? `${property}Json5`
    : property;

function misfitFinder(schema: string, given: Patch<Pairs>): ReturnType<typeof misfitOf> {
  try {
    return misfitOf(schema);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw error.renamed(new Map([['schema', sentName('schema', given)]]));
  }
}

/** Returns the config. Errors use the names in `given`. @throws Problem 400 naming each value against the schema. */
export function validateValues<C extends Pairs & { rules: Rule[] }>(
  config: C,
  given: Patch<Pairs> = {},
): C {
  const misfit = misfitFinder(config.schema, given);
  const values = [
    { property: sentName('defaultValue', given), value: config.defaultValue },
    ...ruleValues(config.rules),
  ];
  const errors = values.flatMap(({ property, value }) => {
    const found = misfit(value);
    return found ? [{ property, errorMessage: `must satisfy the schema: ${found}` }] : [];
  });
  if (errors.length > 0) throw Problem.invalid(errors);
  return config;
}
