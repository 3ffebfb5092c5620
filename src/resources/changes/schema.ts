import * as z from 'zod';
import { ifMatchText } from '../../http/conditional.ts';
import { documentedMessage } from '../../http/success.ts';
import { json, jsonObject } from '../../shared/json.ts';
import { limits } from '../../shared/limits.ts';
import { tagExample } from '../tags/schema.ts';

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

const change = z
  .strictObject({
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
    path: z
      .string()
      .regex(
        /^\/console\/v1\/(?!changes\b)[^#]+$/,
        'must be a path below /console/v1/, with a query if the operation takes one',
      )
      .meta({ description: 'The path of the request, with a query if the operation takes one.' }),
    body: json.optional(),
    ifMatch: ifMatchText.optional().meta({ description: 'The value of the If-Match header.' }),
    headers: z
      .record(
        z
          .string()
          .regex(/^[Ii][Ff]-[Mm][Aa][Tt][Cc][Hh]$/, 'must be If-Match, the only allowed header'),
        ifMatchText,
      )
      .optional()
      .meta({ description: 'The headers of the request; only If-Match is allowed.' }),
  })
  .meta({ id: 'Change', examples: [example] });

export const changesBody = z
  .strictObject({ changes: z.array(change).min(1).max(limits.changes) })
  .meta({ id: 'Changes', examples: [{ changes: [example] }] });

export const changeResult = z
  .object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: jsonObject,
  })
  .meta({
    id: 'ChangeResult',
    examples: [{ status: 200, headers: { etag: '"2"' }, body: exampleResponse }],
  });

export type Change = z.infer<typeof change>;
export type ChangeResult = z.infer<typeof changeResult>;
