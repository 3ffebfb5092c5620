import { expect, vi } from 'vitest';
import { type Options, send } from './client.ts';
import { makeKey } from './factories.ts';
import { checkOFREP } from './ofrep.ts';

/** Returns another isolate of the Worker on the same database, with its own modules. */
export async function isolate() {
  vi.resetModules(); // in a bundle, the module below imports a second copy
  const { startWorker } = await import('./second_isolate.ts');
  return startWorker();
}

/** Sends a request of an application, and parses the JSON of the response. OFREP responses must match their schema. */
export async function callApp(
  path: string,
  { method = 'POST', ...options }: Options & { method?: string } = {},
) {
  const response = await send(method, path, options);
  const text = await response.text();
  const isJSON = /json/.test(response.headers.get('Content-Type') ?? '');
  const { status, headers } = response;
  const body = isJSON && text ? JSON.parse(text) : undefined;
  if (method === 'POST') checkOFREP(path, status, body);
  return { status, headers, text, body };
}

const flags = '/ofrep/v1/evaluate/flags';

/** Evaluates one flag with OFREP, which must succeed. */
export async function evaluateFlag(key: string, context: object = {}, options: Options = {}) {
  const response = await callApp(`${flags}/${key}`, { body: { context }, ...options });
  expect(response.status, response.text).toBe(200);
  return response.body;
}

/** Evaluates all flags with OFREP. */
export const evaluateAll = (context: object = {}, options: Options = {}) =>
  callApp(flags, { body: { context }, ...options });

/** Creates an application key, and returns its text. */
export const keyOf = async (type: 'SERVER' | 'CLIENT', given: object = {}): Promise<string> =>
  (await makeKey({ type, scopes: undefined, ...given })).key;
