// Manages a gate with a typed client that is generated from the OpenAPI document: a typo does not compile.
import createClient from 'openapi-fetch';
import type { components, paths } from './dist/api';

const client = createClient<paths>({
  baseUrl: process.env.CONSOLE_URL ?? 'http://localhost:8787',
  headers: { 'SERVICE-API-KEY': 'console-local' },
});

/** Returns the data of a response, or throws the message of its problem. */
function dataOf<T>(response: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (response.data === undefined) throw new Error(response.error?.message ?? 'no response');
  return response.data;
}

/** Returns a rule with a pass percentage. */
const everyone = (passPercentage: number) => ({
  name: 'A share of everyone',
  passPercentage,
  conditions: [{ type: 'public' as const }],
});

const made = dataOf(
  await client.POST('/console/v1/gates', { body: { name: 'Typed banner', rules: [everyone(10)] } }),
);
console.log(made.message);

// Changes only this version: 412 if it is no longer the newest.
const path = { id: made.data.id };
const header = { 'If-Match': `"${made.data.version}"` };
const body = { rules: [everyone(20)] };
const changed = dataOf(
  await client.PATCH('/console/v1/gates/{id}', { params: { path, header }, body }),
);
console.log(`version ${changed.data.version}: ${changed.data.rules[0]?.passPercentage} %`);

const stale = await client.PATCH('/console/v1/gates/{id}', { params: { path, header }, body });
console.log(`${stale.response.status}: ${stale.error?.title}`);

console.log(dataOf(await client.DELETE('/console/v1/gates/{id}', { params: { path } })).message);
