import { apiVersion } from '../http/observe.ts';
import { operationID, type Route } from './routes.ts';
import { recipes, single } from './words/operations.ts';

/** What an operation does, in a sentence or two. */
export function aboutOperation(route: Route): string {
  const own = single[operationID(route)];
  if (own !== undefined) return own;
  const found = recipes.find(([method, path]) => method === route.method && path.test(route.path));
  if (!found) throw new Error(`nothing is said of ${route.method} ${route.path}`);
  return found[2];
}

/** What holds for all operations alike: the beginning of the reference. */
const introduction = `
Manages feature gates, dynamic configs, experiments and everything around them.

**Keys.** Each request sends an API key in \`SERVICE-API-KEY\`. A key has the scopes that it lists: \`read\` for GET,
\`write\` for changes, \`admin\` for keys, users and connections; webhooks and exports need \`admin\` and \`read\`, imports
\`admin\` and \`write\`. None implies another. 401 without a key that works, 403 without the scope. Keys are made by
\`POST /console/v1/keys\`, and shown once.

**Answers** are \`{ message, data }\`; those of changes name in \`warnings\` what of the body was not kept.

**Pages.** Lists take \`page\` and \`limit\` (100, up to 1000), and answer \`pagination\`. Follow \`nextPage\` until it is
null: each record is seen once, whatever comes and goes meanwhile. A page of more than 8 MB ends before its limit,
unless it is asked for by its number alone. Filters that take several values are repeated, or written with commas.

**Conditional writes.** Each entity has a \`version\`, which is its \`ETag\`. A change with \`If-Match\` is 412 where the
version is another by now; without it, two changes at once are made one after the other, and none is lost. A read with
\`If-None-Match\` is 304 where nothing is new.

**Idempotency.** A POST with an \`Idempotency-Key\` takes effect once in 24 hours: the same request again gets the first
answer, another request under that key 422.

**Dry run.** Any change with \`?dryRun=true\` is checked in full, and answers what it would store, and stores nothing.

**Many changes.** \`POST /console/v1/changes\` makes up to 50 changes as one: all or none.

**Errors** are \`application/problem+json\` (RFC 9457): \`type\` is the path of a page that explains it, \`message\` says what
to do, \`errors\` names each property that is wrong. 429 has \`Retry-After\`, as has 503 where
waiting helps.
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
