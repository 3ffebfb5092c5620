import { apiVersion } from '../http/observe.ts';
import type { Route } from './routes.ts';
import { operationWords } from './words/describe.ts';
import { recipes } from './words/operations.ts';

/** Returns the description of an operation: its own, or the first matching recipe. */
export function aboutOperation(route: Route): string {
  const own = operationWords.get(`${route.method} ${route.path}`);
  if (own !== undefined) return own;
  const found = recipes.find(([method, path]) => method === route.method && path.test(route.path));
  if (!found) throw new Error(`no description for ${route.method} ${route.path}`);
  return found[2];
}

const introduction = `
Manages feature gates, dynamic configs, experiments and everything around them.

**Keys.** Each request sends an API key in \`SERVICE-API-KEY\`. A key has the scopes it lists: \`read\` for GET, \`write\`
for changes, \`admin\` for keys, users and connections. Webhooks and exports need \`admin\` and \`read\`, imports
\`admin\` and \`write\`. No scope implies another. 401 without a working key, 403 without the scope.
\`POST /console/v1/keys\` creates keys and returns each only once.

**Responses** are \`{ message, data }\`. For changes, \`warnings\` names the properties of the body that were ignored.

**Pages.** Lists take \`page\` and \`limit\` (100, up to 1000), and return \`pagination\`. Follow \`nextPage\` until it is
null: each record appears once, even if others are created or deleted. A page of more than 8 MB ends before its limit,
unless it is requested by its number only. Repeat filters with several values, or separate the values by commas.

**Conditional writes.** Each entity has a \`version\`, which is its \`ETag\`. A change with \`If-Match\` is 412 if the
version has changed. Without it, concurrent changes are made one after the other, and none is lost. A read with
\`If-None-Match\` is 304 if nothing has changed.

**Idempotency.** A POST with an \`Idempotency-Key\` takes effect once in 24 hours: repeating the request returns the
first response, and another request with that key is 422.

**Dry run.** Any change with \`?dryRun=true\` is fully checked and returns the result, but stores nothing.

**Many changes.** \`POST /console/v1/changes\` makes up to 50 changes as one: all or none.

**Errors** are \`application/problem+json\` (RFC 9457): \`type\` is the path of a page about the problem, \`message\` gives
the fix, \`errors\` lists each invalid property. 429 has \`Retry-After\`, and so has 503 if waiting helps.
`;

export const about = {
  openapi: '3.1.0',
  info: {
    title: 'Experimentation Console API',
    version: apiVersion,
    description: introduction.trim(),
    contact: { name: 'Whoever runs this deployment' },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [{ apiKey: [] }],
};
