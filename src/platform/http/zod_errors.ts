import * as z from 'zod';
import { counted } from '../../base/english.ts';
import { Problem, type PropertyError } from '../../base/problem.ts';
import { memberOf } from '../../base/value_types.ts';

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

// An issue does not contain the expected integer type; only its schema does.
z.config({
  customError: ({ code, inst }) =>
    code === 'invalid_type' && memberOf(inst?._zod.def, 'format') === 'safeint'
      ? 'must be a whole number'
      : undefined,
});

export const onceOnly = 'must be given only once, without brackets';

function either(messages: string[]): string {
  const [first = 'must have an allowed shape', ...others] = new Set(messages);
  return [first, ...others.map((message) => message.replace(/^must be /, ''))].join(' or ');
}

const among = (values: readonly unknown[]) =>
  `must be ${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}`;

function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('must')
        ? issue.message
        : `must be ${types[issue.expected] ?? issue.expected}`;
    case 'too_big':
      return bounded(issue.inclusive === false ? 'below' : 'at most', issue.origin, issue.maximum);
    case 'too_small':
      return bounded(issue.inclusive === false ? 'above' : 'at least', issue.origin, issue.minimum);
    case 'invalid_value':
      return among(issue.values);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? `must be a valid ${issue.format}`
        : issue.message;
    case 'invalid_union':
      if (issue.message.startsWith('must')) return issue.message;
      if ('options' in issue && issue.options) return among(issue.options);
      return either(issue.errors.flat().map(issueText));
    case 'invalid_key':
      return either(issue.issues.map(issueText));
    default:
      return issue.message;
  }
}

function bounded(limit: string, origin: string, count: number | bigint): string {
  if (origin === 'array') return `must have ${limit} ${counted(count, 'entry')}`;
  const amount = origin === 'string' ? `${counted(count, 'character')} long` : count;
  return `must be ${limit} ${amount}`;
}

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => memberOf(value, key), input);

function issueProperty(path: PropertyKey[], input: unknown, whole: string): string {
  const [name = whole] = path;
  const given = valueAt(input, [name]);
  if (whole === 'query' && !(Array.isArray(given) && given.length > 1)) return String(name);
  return path.join('.') || whole;
}

const isSingleValueIssue = ({ code }: z.core.$ZodIssue) =>
  code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';

/** Returns the faults that zod found in `input`; `whole` names the request part itself. */
export function faultsOf(error: z.core.$ZodError, input: unknown, whole: string): PropertyError[] {
  return error.issues.flatMap((issue): PropertyError | PropertyError[] => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        property: issueProperty([...issue.path, key], input, whole),
        errorMessage: 'is not a known field',
      }));
    const value = valueAt(input, issue.path);
    if (whole === 'query' && Array.isArray(value) && isSingleValueIssue(issue))
      return { property: String(issue.path[0]), errorMessage: onceOnly };
    const isGiven = whole === 'query' && valueAt(input, issue.path.slice(0, 1)) !== undefined;
    const isMissing = issue.code !== 'custom' && value === undefined && !isGiven;
    return {
      property: issueProperty(issue.path, input, whole),
      errorMessage: isMissing ? 'is required' : issueText(issue),
    };
  });
}

export const fromZod = (error: z.core.$ZodError, input: unknown, whole: string): Problem =>
  Problem.invalid(faultsOf(error, input, whole));

export const fromZodAt = (error: z.core.$ZodError, input: unknown, at: string): Problem =>
  Problem.invalid(
    faultsOf(error, input, '').map(({ property, errorMessage }) => ({
      property: property ? `${at}.${property}` : at,
      errorMessage,
    })),
  );
