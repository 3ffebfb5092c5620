import type { Hono } from 'hono';
import type * as z from 'zod';
import { isObject } from '../../base/value_types.ts';
import type { Service } from '../env.ts';
import { documented, isRequestPart, type Operation, type RequestPart } from '../http/documented.ts';

export interface Route {
  method: string;
  /** In Hono's notation: `/console/v1/gates/:id`. */
  path: string;
  operation: Omit<Operation, 'response'> & { response: z.ZodType };
  parts: RequestPart[];
}

/** Whether an operation changes stored data. */
export const isChange = ({ method, operation }: Route): boolean =>
  method !== 'GET' && !operation.reads;

/** Returns the operations of an app in the order they were added. Throws if a route has no summary. */
export function readRoutes(app: Hono<Service>): Route[] {
  const byName = new Map<string, { operation?: Operation; parts: RequestPart[] }>();
  for (const { method, path, handler } of app.routes) {
    const note: unknown = documented in handler ? handler[documented] : undefined;
    if (!note) continue;
    const name = `${method} ${path.replace(/(.)\/$/, '$1')}`;
    const entry = byName.get(name) ?? { parts: [] };
    if (isOperation(note)) entry.operation = note;
    if (isRequestPart(note)) entry.parts.push(note);
    byName.set(name, entry);
  }
  return [...byName].map(([name, { operation, parts }]) => {
    const [method = '', path = ''] = name.split(' ');
    if (!operation) throw new Error(`${name} is not documented`);
    return { method, path, operation: { ...operation, response: operation.response() }, parts };
  });
}

/** Returns the ID of an operation: `PATCH /console/v1/gates/:id` → `patch_gates_id`. */
export const operationID = ({ method, path }: Route) =>
  [method.toLowerCase(), ...path.split('/').slice(3)].join('_').replaceAll(':', '');

const isOperation = (note: unknown): note is Operation => isObject(note) && 'summary' in note;
