import { dereference, type SchemaDraft } from '@cfworker/json-schema';
import * as z from 'zod';
import { strings } from '../../base/fields.ts';
import type { JSONObject } from '../../base/json.ts';
import { readJSON } from '../../base/json_text.ts';
import { atFirst } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { report } from '../../base/report.ts';
import { patternFault } from '../../engine/patterns/patterns.ts';
import { misfitText } from './misfit.ts';
import type { SchemaPart } from './part.ts';
import { SchemaWalk } from './walk.ts';

/** Bounds the validation of all values of a config, in steps of about 0.1 microseconds. */
const maxSteps = 1_000_000;

const typeName = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const size = z.int().min(0);
const pattern = z.string().superRefine((text, context) => {
  const message = patternFault(text, 'u');
  if (message) report(context, message);
});

const schema: z.ZodType = z.lazy(() => z.union([z.boolean(), keywords]));
const schemaList = z.array(schema).min(1);
const schemaMap = z.record(z.string(), schema);

/** The types of the keywords of JSON Schema: a typo must not let every value pass. */
const keywordTypes: { names: string[]; type: z.ZodType }[] = [
  { names: ['type'], type: z.union([typeName, z.array(typeName)]) },
  { names: ['enum'], type: z.array(z.unknown()) },
  { names: ['allOf', 'anyOf', 'oneOf', 'prefixItems'], type: schemaList },
  { names: ['not', 'if', 'then', 'else', 'contains', 'propertyNames'], type: schema },
  { names: ['additionalProperties', 'unevaluatedProperties'], type: schema },
  { names: ['additionalItems', 'unevaluatedItems'], type: schema },
  { names: ['items'], type: z.union([schema, schemaList]) },
  { names: ['properties', 'dependentSchemas', '$defs', 'definitions'], type: schemaMap },
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

const misfitReason = ({ code, message }: z.core.$ZodIssue) =>
  code === 'custom' ? message : 'has the wrong type';

const unusable = (why: string) =>
  Problem.property('schema', `cannot be used as a JSON Schema: ${why}`);

const drafts: { names: string; draft: SchemaDraft }[] = [
  { names: 'draft-04', draft: '4' },
  { names: 'draft-06', draft: '7' }, // a superset
  { names: 'draft-07', draft: '7' },
  { names: '2019-09', draft: '2019-09' },
];

const draftOf = ({ $schema }: JSONObject): SchemaDraft =>
  drafts.find(({ names }) => String($schema).includes(names))?.draft ?? '2020-12';

/** A schema may only refer to its own parts. */
const danglingRef = (parts: Record<string, SchemaPart>): string | undefined =>
  Object.values(parts)
    .filter((part) => typeof part === 'object')
    .find(({ __absolute_ref__: target }) => target && !(target in parts))?.$ref;

function budget(): (steps: number) => void {
  let left = maxSteps;
  return (steps) => {
    left -= steps;
    if (left < 0) throw unusable('validating the values takes too long; simplify it');
  };
}

function prepareSchema(root: JSONObject): SchemaWalk {
  const { error } = keywords.safeParse(root, atFirst);
  const issue = error?.issues[0];
  if (issue) throw unusable(`${issue.path.join('.')} ${misfitReason(issue)}`);
  const parts = dereference(root);
  const missing = danglingRef(parts);
  if (missing) throw unusable(`${missing} does not exist in it`);
  return new SchemaWalk(parts, draftOf(root), budget());
}

/**
 * Compiles a JSON Schema. The returned function returns the fault of a value; undefined if it is valid.
 * @throws Problem 400 naming `schema`, also from the function, if the schema cannot be applied
 */
export function misfitOf(text: string): (value: JSONObject) => string | undefined {
  const guarded = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw error instanceof Problem ? error : unusable('it cannot be applied');
    }
  };
  const root = guarded(() => readJSON(text));
  const walk = guarded(() => prepareSchema(root));
  return (value) => {
    const found = guarded(() => walk.misfit(root, value));
    const where = misfitText(found?.path);
    return found && `${where ? `at ${where}: ` : ''}${found.error}`;
  };
}
