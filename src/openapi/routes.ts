import type { Hono } from 'hono';
import type { Service } from '../env.ts';
import { documented, isRequestPart, type Operation, type RequestPart } from '../http/documented.ts';

/** One operation, as its route's middleware describes it. */
export interface Route {
  method: string;
  /** As Hono writes it: `/console/v1/gates/:id`. */
  path: string;
  operation: Operation;
  parts: RequestPart[];
}

/** Whether an operation changes anything. */
export const isChange = ({ method, operation }: Route): boolean =>
  method !== 'GET' && !operation.reads;

/** Reads the operations off the routes of an app, in the order they were added. */
export function readRoutes(app: Hono<Service>): Route[] {
  const byName = new Map<string, { operation?: Operation; parts: RequestPart[] }>();
  for (const { method, path, handler } of app.routes) {
    const note: unknown = Object(handler)[documented];
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
    return { method, path, operation, parts };
  });
}

/** The name of an operation: `PATCH /console/v1/gates/:id` → `patch_gates_id`. */
export const operationID = ({ method, path }: Route) =>
  [method.toLowerCase(), ...path.split('/').slice(3)].join('_').replaceAll(':', '');

const isOperation = (note: unknown): note is Operation => 'summary' in Object(note);
