import { isEqual } from '../shared/equal.ts';
import { type Json, reference } from './components.ts';

/** A schema of an object, of which nothing is said that could not be said beside a reference. */
interface ObjectSchema {
  name: string;
  properties: Json;
  required: string[];
  description?: string;
  /** One, where it has any. */
  examples?: Json[];
}

const sayable = ['type', 'properties', 'required', 'description', 'examples'];

/** The schemas that can hold another, or be held; the smaller before the larger. */
function objectsOf(schemas: Map<string, Json>): ObjectSchema[] {
  return [...schemas]
    .filter(([, { properties }]) => properties)
    .filter(([, schema]) => Object.keys(schema).every((key) => sayable.includes(key)))
    .map(([name, { properties, required, description, examples }]) => ({
      name,
      properties: { ...Object(properties) },
      required: Array.isArray(required) ? required : [],
      ...(typeof description === 'string' ? { description } : {}),
      ...(Array.isArray(examples) ? { examples } : {}),
    }))
    .sort((a, b) => size(a) - size(b));
}

const size = ({ properties, required }: ObjectSchema) =>
  Object.keys(properties).length + required.length;

/** What everything of a sort has alike. */
const common = ['Message', 'Page', 'Stamps', 'UsedStamps'];

const stem = (name: string) => name.replace(/^(New|Single)|(Create|Input|Patch|Update)$/g, '');

/** Whether it is the schema of what is answered; the body of a request has a whole example. */
const isAnswered = (name: string) => !/(Create|Input|Patch|Update)$/.test(name);

/** What is said of a property that may be null, by what is said of one that may not. */
function orNull({ description, ...schema }: Json): Json {
  const isType = Object.keys(schema).join() === 'type';
  return {
    description,
    ...(isType ? { type: [schema.type, 'null'] } : { anyOf: [schema, { type: 'null' }] }),
  };
}

/** Whether a property is what the other is, but for null. */
const isNarrower = (said: unknown, wider: unknown) =>
  said !== undefined && isEqual(orNull(Object(said)), wider);

/** Whether two schemas are of one thing, and not alike by chance. */
const areOfOne = (whole: ObjectSchema, part: ObjectSchema) =>
  stem(whole.name).startsWith(stem(part.name));

/** Whether a schema says all that the other says: the same of everything, or of one thing, where it may take no null. */
const holds = (whole: ObjectSchema, part: ObjectSchema) =>
  (common.includes(part.name) || areOfOne(whole, part)) &&
  Object.entries(part.properties).every(([key, wider]) => {
    const said = whole.properties[key];
    return isEqual(said, wider) || (areOfOne(whole, part) && isNarrower(said, wider));
  }) &&
  part.required.every((key) => whole.required.includes(key));

/** Whether the example of what is answered is that of its part, and more. */
function isContinued(whole: ObjectSchema, part: ObjectSchema): boolean {
  const { name, examples: [example] = [] } = whole;
  const { properties, examples: [known] = [] } = part;
  if (!example || !known || !isAnswered(name)) return false;
  return Object.keys(properties).every((key) => isEqual(example[key], known[key]));
}

/** A property with its example, which is that of its schema. */
const withExample = (
  [key, said]: [string, unknown],
  { examples: [example] = [] }: ObjectSchema,
) => [key, example && key in example ? { ...Object(said), examples: [example[key]] } : said];

/**
 * A schema that says by reference what the other says, and itself the rest; so also by example. An example of the rest
 * stands at its properties: beside a part with an example, those who make answers of examples look for it there.
 */
function beyond(whole: ObjectSchema, part: ObjectSchema) {
  const isMore = isContinued(whole, part);
  const required = whole.required.filter((key) => !part.required.includes(key));
  const properties = Object.entries(whole.properties)
    .filter(([key, said]) => required.includes(key) || !isEqual(part.properties[key], said))
    .map((property) => (isMore ? withExample(property, whole) : property));
  return {
    allOf: [reference('schemas', part.name)],
    type: 'object',
    ...(whole.description ? { description: whole.description } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(required.length > 0 ? { required } : {}),
    ...(whole.examples && !isMore ? { examples: whole.examples } : {}),
  };
}

/** Says once what schemas have in common: one that says all that another says refers to it, and says the rest. */
export function shared(schemas: Map<string, Json>): Map<string, Json> {
  const result = new Map(schemas);
  const objects = objectsOf(schemas);
  for (const [index, whole] of objects.entries()) {
    const smaller = objects.slice(0, index).reverse(); // so that the largest that is found says most
    const part = smaller.find((each) => holds(whole, each));
    if (part) result.set(whole.name, beyond(whole, part));
  }
  return result;
}
