import type * as z from 'zod';
import { importOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { countRows } from '../http/rate_limit.ts';
import { changeMessage } from '../http/success.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import type { Transaction } from '../store/core/transaction.ts';

interface Importing<S extends z.ZodType> {
  summary: string;
  success: { title: string; done: string };
  body: S;
  rows: (body: z.output<S>) => readonly unknown[];
  stage: (tx: Transaction, body: z.output<S>) => Promise<void> | void;
  /** Returns the query of the list that contains the rows; empty by default. */
  listedBy?: (body: z.output<S>) => string;
}

/** Returns handlers that store all rows of a body or none, and respond with their number and the list's Location. */
export function importRows<S extends z.ZodType>(of: Importing<S>) {
  const { summary, success, body, rows, stage, listedBy = () => '' } = of;
  const operation = doc(summary, success, importOf, { status: 201, isUnversioned: true });
  return createHandlers(operation, valid('json', body), async (c) => {
    const given = c.req.valid('json');
    const all = rows(given);
    await countRows(c, all);
    return transact(c, async (tx) => {
      await stage(tx, given);
      const content = { message: changeMessage(c, tx), data: { accepted: all.length } };
      return c.json(content, 201, { Location: `${c.req.path}${listedBy(given)}` });
    });
  });
}
