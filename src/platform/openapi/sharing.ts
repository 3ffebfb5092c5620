import { isEqual } from '../../base/equal.ts';
import { isObject } from '../../base/value_types.ts';
import { type Json, reference } from './components.ts';

/** An object schema with only the keywords that are allowed next to a reference. */
interface ObjectSchema {
  name: string;
  properties: Json;
  required: string[];
  description?: string;
  examples?: Json[];
}

const allowedKeywords = ['type', 'properties', 'required', 'description', 'examples'];

function objectsOf(schemas: Map<string, Json>): ObjectSchema[] {
  return [...schemas]
    .filter(([, schema]) => Object.keys(schema).every((key) => allowedKeywords.includes(key)))
    .flatMap(([name, { properties, required, description, examples }]) =>
      isObject(properties)
        ? {
            name,
            properties: { ...properties },
            required: Array.isArray(required) ? required : [],
            ...(typeof description === 'string' ? { description } : {}),
            ...(Array.isArray(examples) ? { examples } : {}),
          }
        : [],
    )
    .sort((a, b) => size(a) - size(b));
}

const size = ({ properties, required }: ObjectSchema) =>
  Object.keys(properties).length + required.length;

const commonNames = ['Message', 'Page', 'Stamps', 'UsedStamps'];

const stem = (name: string) => name.replace(/^(New|Single)|(Create|Input|Patch|Update)$/g, '');

/** Whether a schema belongs to a response; a request body has a whole example. */
const isResponse = (name: string) => !/(Create|Input|Patch|Update)$/.test(name);

function nullableSchema({ description, ...schema }: Json): Json {
  const isType = Object.keys(schema).join() === 'type';
  return {
    description,
    ...(isType ? { type: [schema.type, 'null'] } : { anyOf: [schema, { type: 'null' }] }),
  };
}

const isNarrower = (property: unknown, wider: unknown) =>
  isObject(property) && isEqual(nullableSchema(property), wider);

/** Whether two schemas describe one resource, so that equal properties are not a coincidence. */
const haveOneSubject = (whole: ObjectSchema, part: ObjectSchema) =>
  stem(whole.name).startsWith(stem(part.name));

const includes = (whole: ObjectSchema, part: ObjectSchema) =>
  (commonNames.includes(part.name) || haveOneSubject(whole, part)) &&
  Object.entries(part.properties).every(([key, wider]) => {
    const property = whole.properties[key];
    return isEqual(property, wider) || (haveOneSubject(whole, part) && isNarrower(property, wider));
  }) &&
  part.required.every((key) => whole.required.includes(key));

function extendsExample(whole: ObjectSchema, part: ObjectSchema): boolean {
  const { name, examples: [example] = [] } = whole;
  const { properties, examples: [partExample] = [] } = part;
  if (!example || !partExample || !isResponse(name)) return false;
  return Object.keys(properties).every((key) => isEqual(example[key], partExample[key]));
}

const withExample = (
  [key, property]: [string, unknown],
  { examples: [example] = [] }: ObjectSchema,
) => [
  key,
  isObject(property) && example && key in example
    ? { ...property, examples: [example[key]] }
    : property,
];

/** If the part has an example, the others have theirs on each property: mock servers look there. */
function extension(whole: ObjectSchema, part: ObjectSchema) {
  const hasExamples = extendsExample(whole, part);
  const required = whole.required.filter((key) => !part.required.includes(key));
  const properties = Object.entries(whole.properties)
    .filter(([key, value]) => required.includes(key) || !isEqual(part.properties[key], value))
    .map((property) => (hasExamples ? withExample(property, whole) : property));
  return {
    allOf: [reference('schemas', part.name)],
    type: 'object',
    ...(whole.description ? { description: whole.description } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(whole.examples && !hasExamples ? { examples: whole.examples } : {}),
  };
}

/** Returns the schemas with each that includes another replaced by a reference and the other properties. */
export function shared(schemas: Map<string, Json>): Map<string, Json> {
  const result = new Map(schemas);
  const objects = objectsOf(schemas);
  for (const [index, whole] of objects.entries()) {
    const smaller = objects.slice(0, index).reverse(); // the largest part first
    const part = smaller.find((each) => includes(whole, each));
    if (part) result.set(whole.name, extension(whole, part));
  }
  return result;
}
