import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { flag } from '../../base/fields.ts';
import { parseJSON } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { Problem } from '../../base/problem.ts';
import { isRecord } from '../../base/value_types.ts';
import { allOverdue } from '../../experiments/overdue.ts';
import type { Idempotency, Service } from '../../platform/env.ts';
import { refuseUnfit, requireJSON } from '../../platform/http/body.ts';
import { documented } from '../../platform/http/documented.ts';
import { dataEnvelope } from '../../platform/http/envelope.ts';
import { readCurrent } from '../../platform/http/overdue.ts';
import { countRows } from '../../platform/http/rate_limit.ts';
import { requires } from '../../platform/http/scope.ts';
import { textStream } from '../../platform/http/stream.ts';
import { beginTransaction, wantsDryRun } from '../../platform/http/transact.ts';
import { doc, valid } from '../../platform/http/valid.ts';
import { fromZodAt } from '../../platform/http/zod_errors.ts';
import { portablesOf } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { classify } from '../../platform/store/sql/database.ts';
import { exportedLines, newestChange } from './exporting.ts';
import { importAll } from './importing.ts';
import {
  exported,
  type ImportReport,
  type ImportSchemas,
  importExample,
  importReport,
  importSchemas,
  type Line,
  type ListResponse,
} from './schema.ts';

const lineType = 'application/x-ndjson';

const exportQuery = z.object({
  history: flag,
});

function linesIn(body: z.output<ImportSchemas['body']>): (Line | ListResponse)[] {
  const { lines = [], data, kind, pagination } = body;
  return data ? [...lines, { data, kind, pagination }] : lines;
}

async function importLines(
  c: Context,
  { line, listResponse }: ImportSchemas,
): Promise<(Line | ListResponse)[]> {
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

function validLines(schemas: ImportSchemas) {
  const validJSON = valid('json', schemas.body, limits.arrivingDepth);
  const middleware: typeof validJSON = Object.assign(
    async (c: Context, next: () => Promise<void>) => {
      if (!c.req.header('Content-Type')?.toLowerCase().startsWith(lineType)) {
        requireJSON(c, `application/json or ${lineType}`);
        return validJSON(c, next);
      }
      c.req.addValidatedData('json', { lines: await importLines(c, schemas) });
      await next();
    },
    { [documented]: validJSON[documented] },
  );
  return middleware;
}

function importedRows(lines: (Line | ListResponse)[]): unknown[] {
  const rows = lines.flatMap((line): unknown[] => ('data' in line ? line.data : [line]));
  if (rows.length <= limits.lines) return rows;
  throw Problem.property('lines', `must contain at most ${limits.lines} entities in total`);
}

const importMessage = ({ stored, unchanged, refused, skipped }: ImportReport, dryRun: boolean) =>
  `Project imported: ${stored} ${dryRun ? 'would be stored' : 'stored'}, ${unchanged} unchanged, ${refused.length} refused, ${skipped} skipped.`;

/** Returns the route that exports the resources of the registry. */
export function exportRoutes(registry: readonly Resource[]) {
  const portables = portablesOf(registry);
  return new Hono<Service>().use(requires('admin'), requires('read')).get(
    '/',
    doc('Export the whole project as JSON lines', undefined, () => exported, { isLines: true }),
    valid('query', exportQuery),
    async (c) => {
      const db = c.get('db');
      const { history = false } = c.req.valid('query');
      const newest = await readCurrent(c, allOverdue, undefined, newestChange);
      const lines = exportedLines(db, portables, newest, history);
      return c.body(textStream(lines), 200, { 'Content-Type': lineType });
    },
  );
}

async function keepReply(c: Context<Service>, replies: Idempotency, response: Response) {
  try {
    await c.get('db').batch(...(await replies.keep(beginTransaction(c, false).author, response)));
    return response;
  } catch (error) {
    const first = classify(error) === 'conflict' ? await replies.find() : undefined;
    return first ?? response;
  }
}

/** Returns the route that imports the resources of the registry. */
export function importRoutes(registry: readonly Resource[]) {
  const portables = portablesOf(registry);
  const schemas = importSchemas([...portables.keys()]);
  return new Hono<Service>().use(requires('admin'), requires('write')).post(
    '/',
    doc(
      'Import a project, or list responses',
      importMessage(importExample, false),
      dataEnvelope(importReport),
      {
        status: 201,
        isUnversioned: true,
      },
    ),
    validLines(schemas),
    async (c) => {
      if (c.env.many) throw Problem.property('path', 'must be a single change; an import is many');
      const dryRun = wantsDryRun(c);
      const replies = dryRun ? undefined : c.get('idempotency');
      const first = await replies?.find();
      if (first) return first;
      const lines = linesIn(c.req.valid('json'));
      await countRows(c, importedRows(lines));
      const report = await importAll(c, portables, lines, dryRun);
      const content = { message: importMessage(report, dryRun), data: report };
      const response = c.json(content, 201, dryRun ? {} : { Location: '/console/v1/export' });
      return replies ? keepReply(c, replies, response) : response;
    },
  );
}
