import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { Idempotency, Service } from '../../env.ts';
import { refuseUnfit, requireJSON } from '../../http/body.ts';
import { documented } from '../../http/documented.ts';
import { oneOf } from '../../http/envelope.ts';
import { readCurrent } from '../../http/overdue.ts';
import { countRows } from '../../http/rate_limit.ts';
import { requires } from '../../http/scope.ts';
import { begin, wantsDryRun } from '../../http/transact.ts';
import { doc, valid } from '../../http/valid.ts';
import { fromZodAt } from '../../http/zod_errors.ts';
import { Problem } from '../../problem.ts';
import { flag } from '../../shared/fields.ts';
import { parseJSON } from '../../shared/json.ts';
import { limits } from '../../shared/limits.ts';
import { isRecord } from '../../shared/value_types.ts';
import { classify } from '../../store/sql/database.ts';
import { allOverdue } from '../overdue.ts';
import { exportStream, newestChange } from './exporting.ts';
import { importAll } from './importing.ts';
import {
  exported,
  type ImportReport,
  importBody,
  importExample,
  importReport,
  type Line,
  type ListResponse,
  line,
  listResponse,
} from './schema.ts';

const lineType = 'application/x-ndjson';

const exportQuery = z.object({
  history: flag.meta({ description: 'Include the history.' }),
});

function linesIn(body: z.output<typeof importBody>): (Line | ListResponse)[] {
  const { lines = [], data, kind, pagination } = body;
  return data ? [...lines, { data, kind, pagination }] : lines;
}

async function linesOf(c: Context): Promise<(Line | ListResponse)[]> {
  const all = (await c.req.text()).split('\n', limits.lines + 2);
  if (all.at(-1) === '') all.pop(); // after the last line break
  if (all.length > limits.lines)
    throw Problem.property('lines', `must have at most ${limits.lines} entries`);
  const texts = all.filter((text) => text.trim() !== '');
  return texts.map((text, index) => {
    const place = `lines.${index}`;
    refuseUnfit(text, [place], limits.arrivingDepth);
    const value = parseJSON(text);
    if (value === undefined) throw new Problem('malformed', `${place} is not valid JSON.`);
    const schema = isRecord(value) && 'data' in value ? listResponse : line;
    const { error, data } = schema.safeParse(value);
    if (error) throw fromZodAt(error, value, place);
    return data;
  });
}

const validJSON = valid('json', importBody, limits.arrivingDepth);

const validLines: typeof validJSON = Object.assign(
  async (c: Context, next: () => Promise<void>) => {
    if (!c.req.header('Content-Type')?.toLowerCase().startsWith(lineType)) {
      requireJSON(c, `application/json or ${lineType}`);
      return validJSON(c, next);
    }
    c.req.addValidatedData('json', { lines: await linesOf(c) });
    await next();
  },
  { [documented]: validJSON[documented] },
);

function rowsOf(lines: (Line | ListResponse)[]): unknown[] {
  const rows = lines.flatMap((line): unknown[] => ('data' in line ? line.data : [line]));
  if (rows.length <= limits.lines) return rows;
  throw Problem.property('lines', `must contain at most ${limits.lines} entities in total`);
}

const importMessage = ({ stored, unchanged, refused, skipped }: ImportReport, dryRun: boolean) =>
  `Project imported: ${stored} ${dryRun ? 'would be stored' : 'stored'}, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`;

export const exportRoutes = new Hono<Service>().use(requires('admin'), requires('read')).get(
  '/',
  doc('Export the whole project as JSON lines', undefined, () => exported, { isLines: true }),
  valid('query', exportQuery),
  async (c) => {
    const db = c.get('db');
    const { history = false } = c.req.valid('query');
    const newest = await readCurrent(c, allOverdue, undefined, newestChange);
    const stream = exportStream(db, history, newest);
    return c.body(stream, 200, { 'Content-Type': lineType });
  },
);

/** Stores the response for retries, if possible; returns the first one if a concurrent request was faster. */
async function keepReply(c: Context<Service>, replies: Idempotency, response: Response) {
  try {
    await c.get('db').batch(...(await replies.keep(begin(c, false).author, response)));
    return response;
  } catch (error) {
    const first = classify(error) === 'conflict' ? await replies.find() : undefined;
    return first ?? response;
  }
}

export const importRoutes = new Hono<Service>().use(requires('admin'), requires('write')).post(
  '/',
  doc(
    'Import a project, or list responses',
    importMessage(importExample, false),
    oneOf(importReport),
    {
      status: 201,
      isUnversioned: true,
    },
  ),
  validLines,
  async (c) => {
    if (c.env.many) throw Problem.property('path', 'must be a single change; an import is many');
    const dryRun = wantsDryRun(c);
    const replies = dryRun ? undefined : c.get('idempotency');
    const first = await replies?.find();
    if (first) return first;
    const lines = linesIn(c.req.valid('json'));
    await countRows(c, rowsOf(lines));
    const report = await importAll(c, lines, dryRun);
    const content = { message: importMessage(report, dryRun), data: report };
    const response = c.json(content, 201, dryRun ? {} : { Location: '/console/v1/export' });
    return replies ? keepReply(c, replies, response) : response;
  },
);
