import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { memoize } from '../../base/memoize.ts';
import { Problem } from '../../base/problem.ts';
import { isObject } from '../../base/value_types.ts';
import type { Service } from '../../platform/env.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { countChanges } from '../../platform/http/rate_limit.ts';
import { changeMessage } from '../../platform/http/success.ts';
import { transact } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import type { Transaction } from '../../platform/store/core/transaction.ts';
import { nestedApp, readAhead, run } from './nested.ts';
import { type ChangeRequest, type ChangeResult, changeResult, changesBody } from './schema.ts';

/** Built by the first request: adding all routes again takes a tenth of the start-up of an isolate. */
const appOf = memoize(nestedApp);

const returnedHeaders = ['etag', 'location'];

async function batchResult(response: Response): Promise<ChangeResult> {
  const headers = [...response.headers].filter(([name]) => returnedHeaders.includes(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.json(),
  };
}

/** Changes that are read ahead at once. Bounds memory to 15 MB for entities of the maximum size. */
const readAheadCount = 10;

/** Stops at the first failure. `counted` has the indexes of changes whose rows were counted against the limit. */
async function runAll(
  c: Context<Service>,
  app: Hono<Service>,
  tx: Transaction,
  counted: Set<string>,
  changes: ChangeRequest[],
) {
  const results: ChangeResult[] = [];
  for (const [index, given] of changes.entries()) {
    if (index % readAheadCount === 0)
      await readAhead(c, app, tx, changes.slice(index, index + readAheadCount));
    tx.origin = `changes.${index}.`;
    tx.bodyPrefixes = new Map();
    const response = await run(c, app, { tx, counted, isTrial: false }, given);
    const result = await batchResult(response);
    if (!response.ok) return failureResponse(index, response, result.body);
    results.push(result);
  }
  return c.json({ message: changeMessage(c, tx), data: results });
}

/** Returns the route that stores up to 50 changes of any resources as one batch, or none of them. */
export function changesRoutes(resources: Hono<Service>) {
  return new Hono<Service>().post(
    '/',
    doc(
      'Make many changes as one: all or none',
      { title: 'Changes', done: 'made' },
      dataEnvelope(z.array(changeResult)),
      { isUnversioned: true },
    ),
    valid('json', changesBody),
    async (c) => {
      const { changes } = c.req.valid('json');
      await countChanges(c, changes.length - 1);
      const counted = new Set<string>();
      return transact(c, (tx) => runAll(c, appOf(resources), tx, counted, changes)).catch(
        throwWithIndex,
      );
    },
  );
}

function throwWithIndex(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const { origin = '' } = error.details;
  const [, index] = origin.split('.');
  if (index === undefined) throw error;
  const message = error.message.startsWith(origin)
    ? error.message
    : `changes.${index}: ${error.message}`;
  const members = { ...error.details.members, index: Number(index) };
  throw new Problem(error.code, message, { ...error.details, members });
}

function failureResponse(index: number, response: Response, problem: ChangeResult['body']) {
  const at = `changes.${index}`;
  const message = `${at}: ${problem.message}`;
  const { errors }: { errors?: unknown } = problem;
  const given = Array.isArray(errors) ? errors.filter(isObject) : undefined;
  const located = given?.map((error) => ({ ...error, property: `${at}.${error.property}` }));
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  return new Response(JSON.stringify({ ...problem, message, errors: located, index }), {
    status: response.status,
    headers,
  });
}
