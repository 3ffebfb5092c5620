import type * as z from 'zod';
import { Problem } from '../problem.ts';

/** Says in plain words what is wrong with a value. */
function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
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
      return (
        issue.errors.flat().map(explain).filter(distinct).join(' or ') || 'has no allowed shape'
      );
    default:
      return issue.message;
  }
}

const distinct = (value: string, index: number, all: string[]) => all.indexOf(value) === index;

function unit(origin: string): string {
  if (origin === 'array') return ' entries';
  return origin === 'string' ? ' characters long' : '';
}

/** The value at a path of the request; undefined where there is none. */
const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => Object(value)[key], input);

/** A 400 for what zod found in `input`; `whole` names the request part when it is wrong itself. */
export function fromZod(error: z.core.$ZodError, input: unknown, whole: string): Problem {
  const errors = error.issues.map((issue) => {
    const isMissing = issue.code !== 'custom' && valueAt(input, issue.path) === undefined;
    return {
      property: issue.path.join('.') || whole,
      errorMessage: isMissing ? 'is required' : explain(issue),
    };
  });
  return Problem.invalid(errors);
}
