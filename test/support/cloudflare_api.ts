import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A request to the API, without the values that differ between deployments. */
export interface ApiRequest {
  /** The method and path, with `:account` and `:database` for their IDs. */
  call: string;
  query: Record<string, string>;
  /** The JSON body, or the fields of a form: its JSON fields parsed, the names of its files. */
  body: Body | undefined;
  token: string | undefined;
}

interface Binding {
  type: string;
  name: string;
  id?: string;
  text?: string;
}

/** The body properties that the server reads. */
interface Body {
  name?: string;
  sql?: string;
  settings?: { bindings: Binding[] };
  metadata?: { bindings: Binding[]; [other: string]: unknown };
  [other: string]: unknown;
}

export const accountId = 'a'.repeat(32);
export const databaseId = '11111111-2222-4333-8444-555555555555';
const versionId = '99999999-2222-4333-8444-555555555555';
const worker = '/workers/scripts/experimentation-console';

const noWorker = 'This Worker does not exist on your account.';

/** Returns the parsed JSON fields of a form, and the types of its files. */
async function readForm(bytes: Buffer, type: string): Promise<Body> {
  const form = await new Response(bytes, { headers: { 'Content-Type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, part]) => [
      name,
      typeof part === 'string' ? JSON.parse(part) : part.type,
    ]),
  );
}

async function readBody(request: IncomingMessage): Promise<Body | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = request.headers['content-type'] ?? '';
  if (bytes.length === 0) return undefined;
  return type.startsWith('multipart/') ? await readForm(bytes, type) : JSON.parse(`${bytes}`);
}

/** A call that fails once. */
interface Failure {
  call: string;
  /** A part of its SQL. */
  sql?: string;
  /** Whether it takes effect, so that only its response is lost. */
  isDone?: boolean;
}

/** The state of the account. */
interface State {
  failing?: Failure | undefined;
  database?: string;
  migrations: string[];
  /** Undefined until the Worker exists. */
  secrets?: Record<string, string>;
  isDeployed: boolean;
  /** The number of /health responses that still report a failure. */
  unhealthy: number;
}

/** Starts a fake of Cloudflare's API for one account, with the calls of a deployment. */
export async function startCloudflareApi() {
  const requests: ApiRequest[] = [];
  const state: State = { migrations: [], isDeployed: false, unhealthy: 0 };

  /** Returns results only for the table of applied migrations. */
  function query(sql: string) {
    const noted = sql.match(/INSERT INTO d1_migrations \(name\)\s+values \('([^']+)'\)/)?.[1];
    if (noted) state.migrations.push(noted);
    const isList = /^SELECT \*\s+FROM d1_migrations/.test(sql.trim());
    const results = isList ? state.migrations.map((name, index) => ({ id: index + 1, name })) : [];
    return [{ results, success: true, meta: { duration: 1 } }];
  }

  function setSecrets(bindings: Binding[] = []) {
    for (const { type, name, text } of bindings)
      if (type === 'secret_text' && state.secrets && text !== undefined) state.secrets[name] = text;
    return {};
  }

  const hasWorker = () => state.secrets !== undefined;

  /** The result of each call; undefined or false for a 404. */
  const calls: Record<string, (body: Body) => unknown> = {
    'GET /accounts/:account/d1/database': () =>
      state.database ? [{ uuid: databaseId, name: state.database }] : [],
    'POST /accounts/:account/d1/database': ({ name }) => {
      state.database = name;
      return { uuid: databaseId, name };
    },
    'POST /accounts/:account/d1/database/:database/query': ({ sql = '' }) => query(sql),
    [`GET /accounts/:account${worker}/secrets`]: () =>
      state.secrets && Object.keys(state.secrets).map((name) => ({ name, type: 'secret_text' })),
    [`GET /accounts/:account${worker}/settings`]: () => hasWorker() && { bindings: [] },
    [`PATCH /accounts/:account${worker}/settings`]: ({ settings }) =>
      setSecrets(settings?.bindings),
    [`PUT /accounts/:account${worker}`]: ({ metadata }) => {
      state.secrets ??= {};
      state.isDeployed = (metadata?.bindings.length ?? 0) > 0;
      return { id: 'script', etag: 'etag', deployment_id: versionId.replaceAll('-', '') };
    },
    [`POST /accounts/:account${worker}/versions`]: () => {
      state.isDeployed = true;
      return { id: versionId, resources: { script: { etag: 'etag' } }, startup_time_ms: 1 };
    },
    [`GET /accounts/:account${worker}/deployments`]: () =>
      hasWorker() && { deployments: [{ versions: [{ version_id: versionId, percentage: 100 }] }] },
    [`POST /accounts/:account${worker}/deployments`]: () => ({ id: 'deployment' }),
    [`PATCH /accounts/:account${worker}/script-settings`]: () => ({}),
    'GET /accounts/:account/workers/services/experimentation-console': () =>
      hasWorker() && {
        default_environment: {
          environment: 'production',
          script: { tag: 'tag', tags: [], last_deployed_from: 'wrangler' },
        },
      },
    [`POST /accounts/:account${worker}/assets-upload-session`]: () => ({ jwt: 'jwt', buckets: [] }),
    'GET /user': () => ({ email: 'me@example.com' }),
    'GET /accounts': () => [{ id: accountId, name: 'mine' }],
    'GET /accounts/:account/workers/subdomain': () => ({ subdomain: 'example' }),
    [`GET /accounts/:account${worker}/subdomain`]: () => ({
      enabled: false,
      previews_enabled: false,
    }),
    [`POST /accounts/:account${worker}/subdomain`]: () => ({
      enabled: true,
      previews_enabled: true,
    }),
    [`PUT /accounts/:account${worker}/schedules`]: () => ({ schedules: [] }),
  };

  function fail(response: ServerResponse, status: number, code: number, message: string) {
    const errors = [{ code, message }];
    response.writeHead(status).end(JSON.stringify({ success: false, errors, messages: [] }));
  }

  function health(response: ServerResponse) {
    const isWell = state.isDeployed && state.unhealthy === 0;
    state.unhealthy = Math.max(0, state.unhealthy - 1);
    response
      .writeHead(isWell ? 200 : 503)
      .end(JSON.stringify(isWell ? { message: 'The service works.' } : { detail: 'incomplete' }));
  }

  /** The token endpoint of OAuth. */
  function signIn(response: ServerResponse) {
    response.setHeader('Content-Type', 'application/json');
    response.end(
      JSON.stringify({
        access_token: 'token-by-browser',
        refresh_token: 'again',
        expires_in: 3600,
        token_type: 'bearer',
        scope: 'account:read d1:write workers:write',
      }),
    );
  }

  /** Records a call of the API, and responds to it. */
  async function handle(request: IncomingMessage, response: ServerResponse, url: URL) {
    const path = url.pathname
      .replace('/client/v4', '')
      .replace(accountId, ':account')
      .replace(databaseId, ':database');
    const call = `${request.method} ${path}`;
    const body = await readBody(request);
    const token = request.headers.authorization?.replace('Bearer ', '');
    requests.push({ call, query: Object.fromEntries(url.searchParams), body, token });
    const { failing } = state;
    const fails = failing?.call === call && `${body?.sql}`.includes(failing.sql ?? '');
    const result = fails && !failing.isDone ? undefined : calls[call]?.(body ?? {});
    if (fails) {
      state.failing = undefined;
      return fail(response, 400, 7500, `${call} failed on purpose`);
    }
    if (result === undefined || result === false) return fail(response, 404, 10_007, noWorker);
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname === '/health') return health(response);
    if (url.pathname === '/oauth2/token') return signIn(response);
    return handle(request, response, url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    state,
    close: () => server.close(),
  };
}
