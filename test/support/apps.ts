import { expect, vi } from 'vitest';
import { type Options, send } from './client.ts';
import { makeKey } from './factories.ts';
import { checkOFREP } from './ofrep.ts';

/** Another isolate of the Worker on the same database: all its modules are its own. */
export async function isolate() {
  vi.resetModules();
  const { default: worker } = await import('../../src/index.ts');
  return worker;
}

/** Asks as an application does, and reads the JSON of the answer, if it has any; one of OFREP must be as described. */
export async function ask(
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

/** Evaluates one flag through OFREP, which must succeed. */
export async function flag(key: string, context: object = {}, options: Options = {}) {
  const answer = await ask(`${flags}/${key}`, { body: { context }, ...options });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Evaluates all flags through OFREP. */
export const bulk = (context: object = {}, options: Options = {}) =>
  ask(flags, { body: { context }, ...options });

/** The text of a new key of an application. */
export const keyOf = async (type: 'SERVER' | 'CLIENT', given: object = {}): Promise<string> =>
  (await makeKey({ type, scopes: undefined, ...given })).key;
