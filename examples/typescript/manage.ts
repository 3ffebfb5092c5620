// Manages a gate by a client whose types are made from the OpenAPI document: a slip of the pen does not compile.
import createClient from 'openapi-fetch';
import type { components, paths } from './dist/api';

const client = createClient<paths>({
  baseUrl: process.env.CONSOLE_URL ?? 'http://localhost:8787',
  headers: { 'SERVICE-API-KEY': 'console-local' },
});

/** What a call answers; a problem is thrown, in its own words. */
function answered<T>(answer: { data?: T; error?: components['schemas']['Problem'] }): T {
  if (answer.data === undefined) throw new Error(answer.error?.message ?? 'no answer');
  return answer.data;
}

/** A rule that a share of everyone passes, in percent. */
const everyone = (passPercentage: number) => ({
  name: 'A share of everyone',
  passPercentage,
  conditions: [{ type: 'public' as const }],
});

const made = answered(
  await client.POST('/console/v1/gates', { body: { name: 'Typed banner', rules: [everyone(10)] } }),
);
console.log(made.message);

// Only this version is changed: 412 where somebody was quicker.
const path = { id: made.data.id };
const header = { 'If-Match': `"${made.data.version}"` };
const body = { rules: [everyone(20)] };
const changed = answered(
  await client.PATCH('/console/v1/gates/{id}', { params: { path, header }, body }),
);
console.log(`version ${changed.data.version}: ${changed.data.rules[0]?.passPercentage} %`);

const stale = await client.PATCH('/console/v1/gates/{id}', { params: { path, header }, body });
console.log(`${stale.response.status}: ${stale.error?.title}`);

console.log(answered(await client.DELETE('/console/v1/gates/{id}', { params: { path } })).message);
