import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../../env.ts';
import { oneOf } from '../../http/envelope.ts';
import { knownPaths } from '../../http/paths.ts';
import { countChanges } from '../../http/rate_limit.ts';
import { notFound, onError } from '../../http/respond.ts';
import { said } from '../../http/success.ts';
import { transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { Problem, type PropertyError } from '../../problem.ts';
import { byteLength } from '../../store/rows.ts';
import type { Transaction } from '../../store/terms.ts';
import { type Change, type ChangeResult, changeResult, changesBody } from './schema.ts';

/** What each of many changes reaches, and the places of those whose rows were counted against the limit. */
interface Within {
  app: Hono<Service>;
  counted: Set<string>;
}

/** Runs one of the changes in the transaction of them all, as if it had come by itself. */
async function run(c: Context<Service>, tx: Transaction, { app, counted }: Within, given: Change) {
  const { method, path, body = {}, ifMatch } = given;
  const headers = new Headers({ ...given.headers, 'Content-Type': 'application/json' });
  if (ifMatch !== undefined) headers.append('If-Match', ifMatch);
  const url = new URL(path, c.req.url);
  const text = JSON.stringify(body);
  if (byteLength(text) > 1024 * 1024)
    throw new Problem('too_large', `${tx.origin}body is larger than 1 MiB.`);
  const request = new Request(url, { method, headers, body: text });
  const many = { tx, actor: c.get('actor'), requestId: c.get('requestId'), counted };
  return await app.fetch(request, { ...c.env, many }, c.executionCtx);
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

/** Makes all changes, up to the first that fails. */
async function runAll(c: Context<Service>, tx: Transaction, inside: Within, changes: Change[]) {
  const results: ChangeResult[] = [];
  for (const [index, given] of changes.entries()) {
    tx.origin = `changes.${index}.`;
    tx.sentAs = new Map();
    const response = await run(c, tx, inside, given);
    const result = await resultOf(response);
    if (!response.ok) return failed(index, response, result.body);
    results.push(result);
  }
  return c.json({ message: said(c, tx), data: results });
}

const nested = () => {
  throw Problem.property('path', 'must be that of one change, not of many');
};

/** What each of many changes reaches: the resources, in the name of the author of them all. */
function within(resources: Hono<Service>) {
  const app = new Hono<Service>();
  return app
    .use(async (c, next) => {
      const { many } = c.env;
      if (!many) throw new Error('a change of many runs in the transaction of them all');
      c.set('actor', many.actor);
      c.set('db', many.tx.db);
      c.set('requestId', many.requestId);
      await next();
    })
    .all('/console/v1/changes', nested)
    .use(knownPaths(app))
    .route('/', resources)
    .onError(onError)
    .notFound(notFound);
}

/** Up to 50 changes of any resources, stored as one batch or not at all (completions, section 5). */
export function changesRoutes(resources: Hono<Service>) {
  const app = within(resources);
  return new Hono<Service>().post(
    '/',
    doc(
      'Make many changes as one: all or none',
      { title: 'Changes', done: 'made' },
      oneOf(z.array(changeResult)),
      { isUnversioned: true },
    ),
    valid('json', changesBody),
    async (c) => {
      const { changes } = c.req.valid('json');
      await countChanges(c, changes.length - 1);
      const inside = { app, counted: new Set<string>() };
      return transact(c, (tx) => runAll(c, tx, inside, changes)).catch(placed);
    },
  );
}

/** Says of what refused them together, when they were to be stored, which change is at fault. */
function placed(error: unknown): never {
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

/** Answers the first change that failed as the problem of them all, with the place of the change. */
function failed(index: number, response: Response, problem: ChangeResult['body']) {
  const at = `changes.${index}`;
  const message = `${at}: ${problem.message}`;
  const { errors }: { errors?: PropertyError[] } = Object(problem);
  const located = errors?.map((error) => ({ ...error, property: `${at}.${error.property}` }));
  const headers = new Headers(response.headers);
  headers.delete('Content-Length');
  return new Response(JSON.stringify({ ...problem, message, errors: located, index }), {
    status: response.status,
    headers,
  });
}
