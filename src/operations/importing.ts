import type * as z from 'zod';
import { importOf } from '../http/envelope.ts';
import { createHandlers } from '../http/handlers.ts';
import { countRows } from '../http/rate_limit.ts';
import { said } from '../http/success.ts';
import { transact } from '../http/transact.ts';
import { doc, valid } from '../http/valid.ts';
import type { Transaction } from '../store/core/transaction.ts';

/** An import of rows that are no entities. */
interface Importing<S extends z.ZodType> {
  summary: string;
  /** What the message says: `Events` `recorded`. */
  success: { title: string; done: string };
  body: S;
  rows: (body: z.output<S>) => readonly unknown[];
  stage: (tx: Transaction, body: z.output<S>) => Promise<void> | void;
  /** The query of the list that shows them; none where left out. */
  listedBy?: (body: z.output<S>) => string;
}

/** Stores the rows of a body, all or none, and answers how many they are, with the list that shows them as Location. */
export function importing<S extends z.ZodType>(of: Importing<S>) {
  const { summary, success, body, rows, stage, listedBy = () => '' } = of;
  const operation = doc(summary, success, importOf, { status: 201, isUnversioned: true });
  return createHandlers(operation, valid('json', body), async (c) => {
    const given = c.req.valid('json');
    const all = rows(given);
    await countRows(c, all);
    return transact(c, async (tx) => {
      await stage(tx, given);
      const answer = { message: said(c, tx), data: { accepted: all.length } };
      return c.json(answer, 201, { Location: `${c.req.path}${listedBy(given)}` });
    });
  });
}
