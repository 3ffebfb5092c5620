import { problemTypes } from '../problem.ts';
import type { Json } from './schemas.ts';

/** What every error answers. */
export const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'message'],
  properties: {
    type: { type: 'string', description: 'The path of a page that explains the problem.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    message: { type: 'string', description: 'What to do, in a sentence.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['property', 'errorMessage'],
        properties: { property: { type: 'string' }, errorMessage: { type: 'string' } },
      },
    },
  },
};

/** One response component for each status, which lists the problems that have it. */
export function problemResponses(): Json {
  const statuses = new Map<number, string[]>();
  for (const [code, { status, meaning }] of Object.entries(problemTypes)) {
    if (code === 'method_not_allowed') continue; // no answer of an operation
    statuses.set(status, [...(statuses.get(status) ?? []), `\`${code}\`: ${meaning}`]);
  }
  const responses = [...statuses].map(([status, meanings]) => {
    const schema = { $ref: '#/components/schemas/Problem' };
    const content = { 'application/problem+json': { schema } };
    return [status, { description: meanings.join('\n\n'), content }];
  });
  return {
    ...Object.fromEntries(responses),
    NotModified: { description: 'You have this version.' },
  };
}

const text = { type: 'string' };

/** The parameters that many operations share. */
export const sharedParameters = {
  dryRun: {
    name: 'dryRun',
    in: 'query',
    description: 'Check everything and answer what would be stored, but store nothing.',
    schema: { type: 'boolean', default: false },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Change only this version; 412 when another is current.',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 when this is still the version.',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request under the same key takes effect once within 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};
