import { dereference, type SchemaDraft } from '@cfworker/json-schema';
import * as z from 'zod';
import { Problem } from '../../problem.ts';
import { atFirst } from '../bounds.ts';
import { strings } from '../fields.ts';
import type { JSONObject } from '../json.ts';
import { readJSON } from '../json_text.ts';
import { patternFault } from '../patterns.ts';
import { report } from '../report.ts';
import { textOf } from './misfit.ts';
import type { Part } from './part.ts';
import { SchemaWalk } from './walk.ts';

/** How many steps of work all values of a config may take to check, each of some 0.1 microseconds. */
const mostSteps = 1_000_000;

const typeName = z.enum(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);
const size = z.int().min(0);
const pattern = z.string().superRefine((text, context) => {
  const message = patternFault(text, 'u');
  if (message) report(context, message);
});

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

const reasonOf = ({ code, message }: z.core.$ZodIssue) =>
  code === 'custom' ? message : 'is not as it must be';

const unusable = (why: string) =>
  Problem.property('schema', `cannot be used as a JSON Schema: ${why}`);

const known: { names: string; draft: SchemaDraft }[] = [
  { names: 'draft-04', draft: '4' },
  { names: 'draft-06', draft: '7' }, // which has more keywords, and reads the others alike
  { names: 'draft-07', draft: '7' },
  { names: '2019-09', draft: '2019-09' },
];

/** The draft that a schema says it is of; the latest where it does not say. */
const draftOf = ({ $schema }: JSONObject): SchemaDraft =>
  known.find(({ names }) => String($schema).includes(names))?.draft ?? '2020-12';

/** The first `$ref` that leads nowhere; a schema may refer to its own parts alone. */
const danglingRef = (parts: Record<string, Part>): string | undefined =>
  Object.values(parts)
    .filter((part) => typeof part === 'object')
    .find(({ __absolute_ref__: target }) => target && !(target in parts))?.$ref;

/** Counts work, and refuses it where it is too much. */
function budget(): (steps: number) => void {
  let left = mostSteps;
  return (steps) => {
    left -= steps;
    if (left < 0) throw unusable('to check the values by it takes too much work; make it simpler');
  };
}

function prepare(root: JSONObject): SchemaWalk {
  const { error } = keywords.safeParse(root, atFirst);
  const issue = error?.issues[0];
  if (issue) throw unusable(`${issue.path.join('.')} ${reasonOf(issue)}`);
  const parts = dereference(root);
  const missing = danglingRef(parts);
  if (missing) throw unusable(`nothing in it is ${missing}`);
  return new SchemaWalk(parts, draftOf(root), budget());
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
  const root = guarded(() => readJSON(text));
  const walk = guarded(() => prepare(root));
  return (value) => {
    const found = guarded(() => walk.misfit(root, value));
    const where = textOf(found?.path);
    return found && `${where ? `at ${where}: ` : ''}${found.error}`;
  };
}
