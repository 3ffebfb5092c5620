import * as z from 'zod';
import { Problem } from '../problem.ts';

const types: Record<string, string> = {
  array: 'an array',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
};

// A fault itself does not say that a whole number was wanted; the schema does, which is at hand where the fault is found.
z.config({
  customError: ({ code, inst }) =>
    code === 'invalid_type' && Object(inst?._zod.def).format === 'safeint'
      ? 'must be a whole number'
      : undefined,
});

/** What any of several shapes would take, in one sentence: `must be a whole number or a text`. */
function either(messages: string[]): string {
  const [first = 'has no allowed shape', ...others] = new Set(messages);
  return [first, ...others.map((message) => message.replace(/^must be /, ''))].join(' or ');
}

/** Says in plain words what is wrong with a value. */
function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('must')
        ? issue.message
        : `must be ${types[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return `must be ${issue.inclusive === false ? 'below' : 'at most'} ${issue.maximum}${unit(issue.origin)}`;
    case 'too_small':
      return `must be ${issue.inclusive === false ? 'above' : 'at least'} ${issue.minimum}${unit(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.message.startsWith('must') ? issue.message : `must be a valid ${issue.format}`;
    case 'invalid_union':
      return either(issue.errors.flat().map(explain));
    default:
      return issue.message;
  }
}

function unit(origin: string): string {
  if (origin === 'array') return ' entries';
  return origin === 'string' ? ' characters long' : '';
}

/** The value at a path of the request; undefined where there is none. */
const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key], input);

/** The name of what is wrong; a parameter of a query that is given once has no places. */
function nameOf(path: PropertyKey[], input: unknown, whole: string): string {
  const [name = whole] = path;
  if (whole === 'query' && !Array.isArray(valueAt(input, [name]))) return String(name);
  return path.join('.') || whole;
}

/** A 400 for what zod found in `input`; `whole` names the request part when it is wrong itself. */
export function fromZod(error: z.core.$ZodError, input: unknown, whole: string): Problem {
  const errors = error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        property: nameOf([...issue.path, key], input, whole),
        errorMessage: 'is not known here',
      }));
    const isMissing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
    const errorMessage = isMissing ? 'is required' : explain(issue);
    return { property: nameOf(issue.path, input, whole), errorMessage };
  });
  return Problem.invalid(errors);
}
