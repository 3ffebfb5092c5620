import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { Resource } from '../../env.ts';
import { oneOf } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { Problem } from '../../problem.ts';

const example = {
  method: 'PATCH',
  path: '/console/v1/gates/new_checkout',
  body: { isEnabled: true },
  ifMatch: '"1"',
};

const change = z
  .object({
    method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
    path: z
      .string()
      .regex(
        /^\/console\/v1\/(?!changes\b)[^?#]+$/,
        'must be a path below /console/v1/, without query',
      )
      .meta({ description: 'As in a request line.' }),
    body: z.json().optional(),
    ifMatch: z.string().optional().meta({ description: 'As the If-Match header.' }),
  })
  .meta({ id: 'Change', examples: [example] });

const changesBody = z
  .object({ changes: z.array(change).min(1).max(50) })
  .meta({ id: 'Changes', examples: [{ changes: [example] }] });

const changeResult = z
  .object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.record(z.string(), z.json()),
  })
  .meta({
    id: 'ChangeResult',
    examples: [
      { status: 200, headers: { etag: '"2"' }, body: { message: 'Gate updated successfully.' } },
    ],
  });

type Change = z.infer<typeof change>;
type ChangeResult = z.infer<typeof changeResult>;

/** Runs one of the changes in the transaction of them all, as if it had come by itself. */
async function run(c: Context<Resource>, resources: Hono<Resource>, given: Change) {
  const { method, path, body = {}, ifMatch } = given;
  const headers = new Headers({ 'Content-Type': 'application/json' });
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch);
  const url = new URL(path, c.req.url);
  const request = new Request(url, { method, headers, body: JSON.stringify(body) });
  return await resources.fetch(request, c.env, c.executionCtx);
}

const shown = ['etag', 'location'];

async function resultOf(response: Response): Promise<ChangeResult> {
  const headers = [...response.headers].filter(([name]) => shown.includes(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.json(),
  };
}

/** POST /changes: up to 50 changes of any resources, stored as one batch or not at all (completions, section 5). */
export function changesRoutes(resources: Hono<Resource>) {
  return new Hono<Resource>().post(
    '/',
    doc('Make many changes as one: all or none', oneOf(z.array(changeResult))),
    valid('json', changesBody),
    async (c) => {
      if (c.env.tx.origin !== '')
        throw Problem.property('path', 'must be that of one change, not of many');
      const results: ChangeResult[] = [];
      for (const [index, given] of c.req.valid('json').changes.entries()) {
        c.env.tx.origin = `changes.${index}.`;
        const response = await run(c, resources, given);
        const result = await resultOf(response);
        if (!response.ok) return failed(index, response, result.body);
        results.push(result);
      }
      return c.json({ message: 'Changes made successfully.', data: results });
    },
  );
}

/** Answers the first change that failed as the problem of them all, with the place of the change. */
function failed(index: number, response: Response, problem: ChangeResult['body']) {
  const message = `changes.${index}: ${problem.message}`;
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  return new Response(JSON.stringify({ ...problem, message, index }), {
    status: response.status,
    headers,
  });
}
