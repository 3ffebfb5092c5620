import { describe, expect, test } from 'vitest';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { callApp } from '../support/apps.ts';
import { call, each, routes, send } from '../support/client.ts';
import { makeGate, makeKey } from '../support/factories.ts';

const parts = (path: string) => path.split('/');
const isParameter = (part: string | undefined) => part?.startsWith(':') === true;

/** The prefixes of paths, up to a literal part in the position of a parameter of other paths. */
const besideIDs = (() => {
  const beginnings = routes.flatMap(({ path }) =>
    parts(path).map((_, index) => parts(path).slice(0, index + 1)),
  );
  const all = new Set(beginnings.map((beginning) => beginning.join('/')));
  const parameters = [...all].filter((beginning) => isParameter(parts(beginning).at(-1)));
  const parents = new Set(parameters.map((beginning) => parts(beginning).slice(0, -1).join('/')));
  return new Set(
    [...all].filter((beginning) => {
      const above = parts(beginning).slice(0, -1).join('/');
      return parents.has(above) && !isParameter(parts(beginning).at(-1));
    }),
  );
})();

/** The paths of an operation with a literal part instead of an id. */
const mistaken = ({ path }: Route): string[] =>
  [...besideIDs].flatMap((beginning) => {
    const index = parts(beginning).length - 1;
    const sameAbove =
      parts(path).slice(0, index).join('/') === parts(beginning).slice(0, -1).join('/');
    if (!sameAbove || !isParameter(parts(path)[index])) return [];
    const rest = parts(path)
      .slice(index + 1)
      .map((part) => (isParameter(part) ? '1' : part));
    return [[beginning, ...rest].join('/')];
  });

/** The methods of the operations at this path, where a literal part is not an id. */
const methodsAt = (path: string): string[] => {
  const given = parts(path);
  const fits = (template: string[]) =>
    given.length === template.length &&
    template.every((part, index) =>
      isParameter(part)
        ? !besideIDs.has(given.slice(0, index + 1).join('/'))
        : part === given[index],
    );
  return routes.filter((route) => fits(parts(route.path))).map(({ method }) => method);
};

const withSiblings = each((route) => mistaken(route).length > 0);

describe('a literal path in the position of an id', () => {
  test('is there for several resources', () => {
    const all = new Set(withSiblings.flatMap(([, route]) => mistaken(route)));
    expect([...all]).toContain('/console/v1/metrics/values/versions');
    expect([...all]).toContain('/console/v1/experiments/assignment_sources/start');
    expect([...all]).toContain('/console/v1/metrics/list/references');
  });

  test.each(withSiblings)('is never taken for the id of %s', async (_, route) => {
    for (const path of mistaken(route)) {
      const methods = methodsAt(path);
      if (methods.includes(route.method)) continue; // another operation
      const { status, headers, body } = await call(route.method, path);
      if (methods.length === 0) {
        expect([path, status]).toEqual([path, 404]);
        expect(body.message).toBe(`There is no ${path} in this API.`);
      } else {
        expect([path, status]).toEqual([path, 405]);
        const allowed = headers.get('Allow')?.split(', ') ?? [];
        expect(allowed.filter((method) => method !== 'HEAD').sort()).toEqual(methods.sort());
        expect(allowed.includes('HEAD')).toBe(methods.includes('GET'));
      }
    }
  });

  test.each([
    ['GET', 'metrics/values/versions', 404, null],
    ['GET', 'metrics/list/references', 404, null],
    ['PUT', 'experiments/assignment_sources/start', 405, 'GET, HEAD, PATCH, DELETE'],
    ['PATCH', 'metrics/values', 405, 'GET, HEAD, POST, DELETE'],
    ['DELETE', 'experiments/assignment_sources', 405, 'GET, HEAD, POST'],
    ['POST', 'metrics/list', 405, 'GET, HEAD'],
    ['PUT', 'experiments/%61ssignment_sources/start', 405, 'GET, HEAD, PATCH, DELETE'],
  ])('%s /%s is %i', async (method, path, status, allow) => {
    const answer = await call(method, path);
    expect([answer.status, answer.headers.get('Allow')]).toEqual([status, allow]);
  });

  test('is not an id among many changes either', async () => {
    const path = '/console/v1/experiments/assignment_sources/start';
    const { status, headers, body } = await call('POST', 'changes', {
      body: { changes: [{ method: 'PUT', path }] },
    });
    expect([status, body.index]).toEqual([405, 0]);
    expect(headers.get('Allow')).toBe('GET, HEAD, PATCH, DELETE');
  });
});

describe('a path', () => {
  test.each(['gates/', 'gates//versions', 'gates/a/b/c/d', '', 'constructor'])(
    '%j that there is not is 404 and named',
    async (path) => {
      const { status, body } = await call('GET', path);
      expect([status, body.message]).toEqual([404, `There is no /console/v1/${path} in this API.`]);
    },
  );

  test.each(['gates', 'gates/a', 'gates/a/versions/1', 'audit_logs'])(
    '%s has HEAD as it has GET',
    async (path) => {
      const { status } = await send('GET', path);
      expect((await send('HEAD', path)).status).toBe(status);
    },
  );

  test('with another method is 405 for any key, and 401 without one', async () => {
    const { key } = await makeKey({ scopes: ['read'] });
    expect((await call('PUT', 'keys', { key })).status).toBe(405);
    expect((await call('PUT', 'keys', { key: null })).status).toBe(401);
  });
});

describe('outside the API', () => {
  const others: [path: string, allow: string][] = [
    ['/health', 'GET, HEAD'],
    ['/problems/in_use', 'GET, HEAD'],
    ['/console/session', 'GET, HEAD, POST, DELETE'],
  ];

  test.each(others)('%s is 405 with Allow for other methods', async (path, allow) => {
    const { status, headers } = await send('PUT', path, { key: null });
    expect([status, headers.get('Allow')]).toEqual([405, allow]);
  });

  test.each(others)('%s is 400 for a query parameter', async (path) => {
    const { status, body } = await call('GET', `${path}?bogus=1`, { key: null });
    expect([status, body.errors[0].property]).toEqual([400, 'bogus']);
  });
});

describe('a base address that ends in a slash', () => {
  /** A raw path: `new URL` would parse two slashes as the beginning of a host. */
  const doubled = (path: string) => `/.${path}`;

  test('reaches OFREP, whose flag keys keep their slashes', async () => {
    const { id } = await makeGate();
    const post = (path: string) => callApp(doubled(path), { body: { context: {} } });
    const flags = '//ofrep/v1/evaluate/flags';
    expect((await post(`${flags}/${id}`)).body).toMatchObject({ key: id, value: false });
    expect((await post(flags)).status).toBe(200);
    expect((await post(`${flags}/a//b`)).body).toMatchObject({
      key: 'a//b',
      errorCode: 'FLAG_NOT_FOUND',
    });
  });

  test.each([
    ['POST', '//v1/initialize', 200],
    ['POST', '/v1//initialize', 200],
    ['GET', '//v1/download_config_specs/x.json', 200],
    ['GET', '/v2//download_config_specs/x.json', 200],
    ['GET', '//console/v1/gates', 200],
    ['GET', '//ofrep/v1/evaluate/flags', 405],
    ['GET', '//v1/initialize', 405],
  ])('%s %s is %i', async (method, path, status) => {
    const answer = await send(method, doubled(path), method === 'POST' ? { body: {} } : {});
    expect(answer.status).toBe(status);
    const known = path.replaceAll('//', '/');
    if (status === 405)
      expect(await answer.json()).toMatchObject({ message: `${known} has no GET; use POST.` });
  });
});
