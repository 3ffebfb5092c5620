import { dereference, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import * as z from 'zod';
import { Problem } from '../../problem.ts';
import { strings } from '../../shared/fields.ts';
import { type JSONObject, readJSON } from './json_text.ts';

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

const typeName = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const size = z.int().min(0);
const pattern = z.string().refine(isPattern, 'must be a regular expression');

const schema: z.ZodType = z.lazy(() => z.union([z.boolean(), keywords]));
const list = z.array(schema).min(1);
const map = z.record(z.string(), schema);

/** What the keywords of JSON Schema must be, so that a slip of the pen does not let everything pass. */
const keywordTypes: { names: string[]; type: z.ZodType }[] = [
  { names: ['type'], type: z.union([typeName, z.array(typeName)]) },
  { names: ['enum'], type: z.array(z.unknown()) },
  { names: ['allOf', 'anyOf', 'oneOf', 'prefixItems'], type: list },
  { names: ['not', 'if', 'then', 'else', 'contains', 'propertyNames'], type: schema },
  { names: ['additionalProperties', 'unevaluatedProperties'], type: schema },
  { names: ['additionalItems', 'unevaluatedItems'], type: schema },
  { names: ['items'], type: z.union([schema, list]) },
  { names: ['properties', 'dependentSchemas', '$defs', 'definitions'], type: map },
  { names: ['patternProperties'], type: z.record(pattern, schema) },
  { names: ['required'], type: strings },
  { names: ['dependentRequired'], type: z.record(z.string(), strings) },
  { names: ['minProperties', 'maxProperties', 'minItems', 'maxItems'], type: size },
  { names: ['minContains', 'maxContains', 'minLength', 'maxLength'], type: size },
  { names: ['minimum', 'maximum'], type: z.number() },
  // A boolean in draft 4.
  { names: ['exclusiveMinimum', 'exclusiveMaximum'], type: z.union([z.number(), z.boolean()]) },
  { names: ['multipleOf'], type: z.number().gt(0) },
  { names: ['uniqueItems'], type: z.boolean() },
  { names: ['pattern'], type: pattern },
  { names: ['format', '$ref', '$id', '$schema'], type: z.string() },
];

const keywords = z.object(
  Object.fromEntries(
    keywordTypes.flatMap(({ names, type }) => names.map((name) => [name, type.optional()])),
  ),
);

const unusable = (why: string) =>
  Problem.property('schema', `cannot be used as a JSON Schema: ${why}`);

const known: { names: string; draft: SchemaDraft }[] = [
  { names: 'draft-04', draft: '4' },
  { names: 'draft-07', draft: '7' },
  { names: '2019-09', draft: '2019-09' },
];

/** The draft that a schema says it is of; the latest where it does not say. */
const draftOf = ({ $schema }: JSONObject): SchemaDraft =>
  known.find(({ names }) => String($schema).includes(names))?.draft ?? '2020-12';

/** The first `$ref` that leads nowhere; a schema may refer to its own parts alone. */
function danglingRef(root: Schema): string | undefined {
  const parts = dereference(root);
  return Object.values(parts)
    .filter((part) => typeof part === 'object')
    .find(({ __absolute_ref__: target }) => target && !(target in parts))?.$ref;
}

function prepare(root: JSONObject): Validator {
  const { error } = keywords.safeParse(root);
  const issue = error?.issues[0];
  if (issue) throw unusable(`${issue.path.join('.')} is not as it must be`);
  const missing = danglingRef(root);
  if (missing) throw unusable(`nothing in it is ${missing}`);
  return new Validator(root, draftOf(root));
}

/**
 * Reads a JSON Schema.
 * @returns a function that says how a value does not satisfy it, if so
 * @throws Problem 400 that names `schema`, also from the function, where it cannot be applied
 */
export function misfitOf(text: string): (value: JSONObject) => string | undefined {
  const guarded = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw error instanceof Problem ? error : unusable('it cannot be applied');
    }
  };
  const validator = guarded(() => prepare(readJSON(text)));
  return (value) => {
    const found = guarded(() => validator.validate(value)).errors.at(-1);
    const where = found?.instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
    return found && `${where ? `at ${where}: ` : ''}${found.error.replace(/\.$/, '')}`;
  };
}
