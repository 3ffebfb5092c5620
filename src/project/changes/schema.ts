import * as z from 'zod';
import { json, jsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { tagExample } from '../../organization/tags/schema.ts';
import { ifMatchText } from '../../platform/http/conditional.ts';
import { documentedMessage } from '../../platform/http/success.ts';

const example = {
  method: 'PATCH',
  path: '/console/v1/tags/checkout',
  body: { isCore: true },
  ifMatch: '"1"',
};

const exampleResponse = {
  message: documentedMessage({ title: 'Tag', done: 'updated' }),
  data: { ...tagExample, version: 2 },
};

export const change = z
  .strictObject({
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
    path: z
      .string()
      .regex(
        /^\/console\/v1\/(?!changes\b)[^#]+$/,
        'must be a path below /console/v1/, with a query if the operation takes one',
      ),
    body: json.optional(),
    ifMatch: ifMatchText.optional(),
    headers: z
      .record(
        z
          .string()
          .regex(/^[Ii][Ff]-[Mm][Aa][Tt][Cc][Hh]$/, 'must be If-Match, the only allowed header'),
        ifMatchText,
      )
      .optional(),
  })
  .meta({ id: 'Change', examples: [example] });

export const changesBody = z
  .strictObject({ changes: z.array(change).min(1).max(limits.changes) })
  .meta({ id: 'Changes', examples: [{ changes: [example] }] });

export const changeResult = z
  .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: jsonObject })
  .meta({
    id: 'ChangeResult',
    examples: [{ status: 200, headers: { etag: '"2"' }, body: exampleResponse }],
  });

export type ChangeRequest = z.infer<typeof change>;
export type ChangeResult = z.infer<typeof changeResult>;
