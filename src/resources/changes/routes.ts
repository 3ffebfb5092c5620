import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { Service } from '../../env.ts';
import { oneOf } from '../../http/envelope.ts';
import { countChanges } from '../../http/rate_limit.ts';
import { said } from '../../http/success.ts';
import { transact } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { Problem, type PropertyError } from '../../problem.ts';
import type { Transaction } from '../../store/core/transaction.ts';
import { readAhead, run, within } from './among.ts';
import { type Change, type ChangeResult, changeResult, changesBody } from './schema.ts';

const shown = ['etag', 'location'];

async function resultOf(response: Response): Promise<ChangeResult> {
  const headers = [...response.headers].filter(([name]) => shown.includes(name));
  return {
    status: response.status,
    headers: Object.fromEntries(headers),
    body: await response.json(),
  };
}

/** For how many changes is read at once: 15 MB, where each is of an entity as large as can be, held some times over. */
const readAtOnce = 10;

/**
 * Makes all changes, up to the first that fails.
 * @param counted the places of those whose rows were counted against the limit
 */
async function runAll(
  c: Context<Service>,
  app: Hono<Service>,
  tx: Transaction,
  counted: Set<string>,
  changes: Change[],
) {
  const results: ChangeResult[] = [];
  for (const [index, given] of changes.entries()) {
    if (index % readAtOnce === 0)
      await readAhead(c, app, tx, changes.slice(index, index + readAtOnce));
    tx.origin = `changes.${index}.`;
    tx.sentAs = new Map();
    const response = await run(c, app, { tx, counted, isTrial: false }, given);
    const result = await resultOf(response);
    if (!response.ok) return failed(index, response, result.body);
    results.push(result);
  }
  return c.json({ message: said(c, tx), data: results });
}

/** Up to 50 changes of any resources, stored as one batch or not at all. */
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
      const counted = new Set<string>();
      return transact(c, (tx) => runAll(c, app, tx, counted, changes)).catch(placed);
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
