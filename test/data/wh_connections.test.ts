import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, ok, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { makeConnection, makeKey } from '../support/factories.ts';
import { allowMoreTrips } from '../support/responses.ts';

const patch = (body: unknown, options = {}) =>
  call('PATCH', 'wh_connections', { body, ...options });
const read = () => ok('GET', 'wh_connections');
const history = '/console/v1/wh_connections/connection/versions';

/** The record as the database holds it. */
async function stored() {
  const row = await env.DB.prepare('select settings from wh_connections').first<{
    settings: string;
  }>();
  return JSON.parse(row?.settings ?? '{}');
}

const bytes = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** Opens a ciphertext as if it had been stored at a place. */
async function open(place: string, value: string) {
  const key = await crypto.subtle.importKey('raw', bytes(env.SEALING_KEY), 'AES-GCM', false, [
    'decrypt',
  ]);
  const sealed = bytes(value);
  const additionalData = new TextEncoder().encode(place);
  const algorithm = { name: 'AES-GCM', iv: sealed.slice(0, 12), additionalData };
  const text = await crypto.subtle.decrypt(algorithm, key, sealed.slice(12));
  return new TextDecoder().decode(text);
}

const full = {
  databricks: {
    host: 'dbc.example.com',
    path: '/sql/1.0',
    accessToken: 'S3CRET-token',
    stagingDatabase: 'staging',
    oauthClientID: 'client',
    consoleComputePath: '/sql/2.0',
  },
  snowflake: {
    accountName: 'acme',
    serviceUserName: 'console',
    serviceUserPassword: 'S3CRET-user',
    privateKey: 'S3CRET-snowflake-key',
    keyPassPhrase: 'S3CRET-phrase',
    stagingDatabaseName: 'staging',
    stagingSchemaName: 'public',
    computeWarehouse: 'small',
    consoleComputeWarehouse: 'tiny',
  },
  bigquery: {
    privateKey: 'S3CRET-bigquery-key',
    project: 'acme',
    consoleComputeProject: 'acme-console',
    stagingDataset: 'staging',
  },
  redshift: {
    host: 'redshift.example.com',
    port: 5439,
    database: 'main',
    username: 'console',
    password: 'S3CRET-password',
    stagingSchema: 'staging',
    useSshTunnel: true,
    sshUsername: 'tunnel',
    sshPort: 22,
    sshHost: 'ssh.example.com',
    sshPrivateKey: 'S3CRET-ssh-key',
    sshPublicKey: 'ssh-ed25519 AAAA',
    verifyCA: false,
    useAssumeRole: true,
    roleArn: 'arn:role',
    region: 'eu-west-1',
  },
  athena: {
    region: 'eu-west-1',
    bucket: 'results',
    dataCatalog: 'catalog',
    useCatalogInQueryContext: true,
    database: 'main',
    queryResultLocation: 's3://results',
    workgroup: 'primary',
    roleArn: 'arn:role',
  },
};

const { databricks, snowflake, bigquery, redshift, athena } = full;

/** The response form of the connections. */
const shown = {
  databricks: { ...databricks, accessToken: '<ACCESS_TOKEN>' },
  snowflake: {
    ...snowflake,
    serviceUserPassword: '<SERVICE_USER_PASSWORD>',
    privateKey: '<PRIVATE_KEY>',
    keyPassPhrase: '<KEY_PASS_PHRASE>',
  },
  bigquery: { ...bigquery, privateKey: '<PRIVATE_KEY>' },
  redshift: { ...redshift, password: '<PASSWORD>', sshPrivateKey: '<SSH_PRIVATE_KEY>' },
  athena,
};

beforeEach(emptyDatabase);

describe('the warehouse connections', () => {
  test('are empty and without ETag before the first change', async () => {
    const answer = await call('GET', 'wh_connections');
    expect([answer.status, answer.data]).toEqual([200, {}]);
    expect(answer.headers.get('ETag')).toBeNull();
    const nothing = await patch({});
    expect([nothing.status, nothing.headers.get('ETag')]).toEqual([200, null]);
    expect((await call('GET', 'wh_connections')).data).toEqual({});
  });

  test('are created by the first change, which answers a message only', async () => {
    const answer = await patch(full);
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Connection updated successfully.' },
    ]);
    expect(answer.headers.get('ETag')).toBe('"1"');
    const { id, version, ...rest } = await read();
    expect([id, version]).toEqual(['connection', 1]);
    expect(rest).toMatchObject(shown);
  });

  test('are merged field by field, within each section alone', async () => {
    await patch(full);
    await patch({ redshift: { port: 5440 }, athena: { bucket: 'other' } });
    const after = await read();
    expect(after).toMatchObject({
      ...shown,
      redshift: { ...shown.redshift, port: 5440 },
      athena: { ...athena, bucket: 'other' },
      version: 2,
    });
  });

  test('make no version when nothing changes', async () => {
    await patch({ athena });
    expect((await patch({ athena })).headers.get('ETag')).toBe('"1"');
    expect((await patch({})).status).toBe(200);
    expect((await read()).version).toBe(1);
  });

  test.each([
    [{ redshift: { port: '5439' } }, 'redshift.port'],
    [{ redshift: { port: 0 } }, 'redshift.port'],
    [{ redshift: { port: 65_536 } }, 'redshift.port'],
    [{ redshift: { sshPort: 22.5 } }, 'redshift.sshPort'],
    [{ redshift: { verifyCA: 'yes' } }, 'redshift.verifyCA'],
    [{ databricks: { host: null } }, 'databricks.host'],
    [{ databricks: { accessToken: 7 } }, 'databricks.accessToken'],
    [{ athena: [] }, 'athena'],
    [{ databricks: { acessToken: 'S3CRET' } }, 'databricks.acessToken'],
    [{ athena: {} }, 'athena'],
    [{ oracle: { password: 'S3CRET' } }, 'oracle'],
  ])('refuse %j, naming the property', async (body, property) => {
    const answer = await patch(body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].property).toBe(property);
    expect(JSON.stringify(answer.body)).not.toContain('S3CRET');
  });

  test('take the first and the last port there is', async () => {
    await patch({ redshift: { port: 1, sshPort: 65_535 } });
    expect((await read()).redshift).toEqual({ port: 1, sshPort: 65_535 });
  });

  test('ignore unknown fields next to known ones', async () => {
    await patch({ athena: { bucket: 'results', colour: 'red' }, oracle: {} });
    expect((await read()).athena).toEqual({ bucket: 'results' });
  });

  test('change only under the version in If-Match', async () => {
    const wrong = { headers: { 'If-Match': '"7"' } };
    expect((await patch({ athena }, wrong)).status).toBe(412);
    await patch({ athena });
    expect((await patch({ athena: { bucket: 'b' } }, wrong)).status).toBe(412);
    const right = { headers: { 'If-Match': '"1"' } };
    expect((await patch({ athena: { bucket: 'b' } }, right)).status).toBe(200);
  });

  test('lose neither of two first changes made at once', async () => {
    allowMoreTrips('changes that others overtake are computed again');
    await Promise.all([patch({ athena }), patch({ databricks: { host: 'h' } })]);
    expect(await read()).toMatchObject({ athena, databricks: { host: 'h' }, version: 2 });
  });

  test('are for admins only, to read and to change', async () => {
    const { key } = await makeKey({ scopes: ['read', 'write'] });
    const answers = [
      await call('GET', 'wh_connections', { key }),
      await patch({ athena }, { key }),
      await call('GET', history, { key }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  test('cannot be deleted', async () => {
    await makeConnection();
    expect((await call('DELETE', '/console/v1/wh_connections/connection')).status).toBe(405);
  });
});

describe('a secret', () => {
  test('is neither in a response nor in the database, for any section and field', async () => {
    const wrong = { headers: { 'If-Match': '"7"' } };
    const keyless = { bindings: { SEALING_KEY: undefined } };
    const answers = [
      await send('PATCH', 'wh_connections', { body: full, ...keyless }),
      await send('PATCH', 'wh_connections', {
        body: { ...full, redshift: { ...redshift, port: 0 } },
      }),
      await send('PATCH', 'wh_connections?dryRun=true', { body: full }),
      await send('PATCH', 'wh_connections', { body: full }),
      await send('PATCH', 'wh_connections', { body: full }),
      await send('PATCH', 'wh_connections', { body: full, ...wrong }),
      await send('PATCH', 'wh_connections', { body: `${JSON.stringify(full)}x` }),
      await send('PUT', `${history}/1/restore`),
      await send('GET', 'wh_connections'),
      await send('GET', 'wh_connections/connection'),
      await send('GET', history),
      await send('GET', `${history}/1`),
      await send('GET', `${history}/3?compareTo=1`),
      await send('GET', 'audit_logs'),
    ];
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([
      503, 400, 200, 200, 200, 412, 400, 200, 200, 200, 200, 200, 200, 200,
    ]);
    for (const answer of answers) expect(await answer.text()).not.toContain('S3CRET');
    const { results } = await env.DB.prepare(
      `select settings from wh_connections union all select snapshot from revisions`,
    ).all();
    expect(results.length).toBeGreaterThan(3);
    expect(JSON.stringify(results)).not.toContain('S3CRET');
    expect(JSON.stringify(results)).not.toContain(btoa('S3CRET'));
  });

  test('opens with the key at its own section and field alone', async () => {
    await patch(full);
    const { snowflake: sealed } = await stored();
    const value = sealed.privateKey;
    expect(await open('snowflake.privateKey', value)).toBe('S3CRET-snowflake-key');
    await expect(open('bigquery.privateKey', value)).rejects.toThrow();
    await expect(open('snowflake.keyPassPhrase', value)).rejects.toThrow();
  });

  test('of many lines and any script is sealed whole', async () => {
    const privateKey = `-----BEGIN KEY-----\n${'ключ 鍵 🔑\n'.repeat(5000)}`;
    await patch({ bigquery: { privateKey } });
    expect(await open('bigquery.privateKey', (await stored()).bigquery.privateKey)).toBe(
      privateKey,
    );
  });

  test('is sealed differently each time, so equal secrets do not look equal', async () => {
    await patch({ redshift: { password: 'same', sshPrivateKey: 'same' } });
    const first = (await stored()).redshift;
    await patch({ redshift: { password: 'same' } });
    const second = (await stored()).redshift;
    const values = [first.password, first.sshPrivateKey, second.password];
    expect(new Set(values).size).toBe(3);
  });

  test('stays unchanged when its placeholder is sent back', async () => {
    await patch(full);
    const before = await stored();
    const { version, ...answer } = await read();
    expect((await patch(answer)).headers.get('ETag')).toBe(`"${version}"`);
    await patch({ redshift: { ...shown.redshift, port: 5440 } });
    const after = await stored();
    expect(after.redshift.password).toEqual(before.redshift.password);
    expect(after.redshift.port).toBe(5440);
    await patch({ redshift: { sshPrivateKey: '<PRIVATE_KEY>', password: '<SECRET>' } });
    expect((await stored()).redshift).toEqual(after.redshift);
  });

  test('cannot come from a placeholder when none is stored', async () => {
    const answer = await patch({ databricks: { host: 'h', accessToken: '<ACCESS_TOKEN>' } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].property).toBe('databricks.accessToken');
    await patch({ bigquery: { privateKey: 'S3CRET' } });
    const other = await patch({ snowflake: { privateKey: '<PRIVATE_KEY>' } });
    expect([other.status, other.body.errors[0].property]).toEqual([400, 'snowflake.privateKey']);
  });

  test('is removed by an empty text', async () => {
    await patch({ databricks: { accessToken: 'S3CRET' } });
    await patch({ databricks: { accessToken: '' } });
    expect((await read()).databricks.accessToken).toBe('');
    expect((await patch({ databricks: { accessToken: '<ACCESS_TOKEN>' } })).status).toBe(400);
  });

  test('comes back with the version that held it', async () => {
    await patch({ redshift: { password: 'S3CRET-old' } });
    await patch({ redshift: { password: 'S3CRET-new' } });
    const restored = await ok('PUT', `${history}/1/restore`);
    expect(restored.redshift.password).toBe('<PASSWORD>');
    const value = (await stored()).redshift.password;
    expect(await open('redshift.password', value)).toBe('S3CRET-old');
  });

  test('shows as changed in the history, without its value', async () => {
    await patch({ redshift: { password: 'S3CRET-old' } });
    await patch({ redshift: { password: 'S3CRET-new' } });
    const [newest] = await ok('GET', history);
    expect(newest.changes).toEqual([
      {
        property: 'redshift',
        old: { password: '<PASSWORD>' },
        new: { password: '<PASSWORD>' },
      },
    ]);
  });

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['no base64', 'not base64!'],
    ['too short', btoa('0123456789abcdef')],
  ])('is refused with 503 and not stored while the sealing key is %s', async (_, SEALING_KEY) => {
    const keyless = { bindings: { SEALING_KEY }, fails: true };
    const answer = await patch({ databricks: { host: 'h', accessToken: 'S3CRET' } }, keyless);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ type: '/problems/sealing' });
    expect(answer.body.message).toContain('wrangler secret put SEALING_KEY');
    expect(await read()).toEqual({});
  });

  test('is optional: other fields can change without a sealing key', async () => {
    await patch(full);
    const keyless = { bindings: { SEALING_KEY: undefined } };
    const body = { databricks: { ...shown.databricks, host: 'other' } };
    expect((await patch(body, keyless)).status).toBe(200);
    expect((await read()).databricks).toEqual(body.databricks);
  });
});

test('a placeholder in a field without a secret is stored unchanged', async () => {
  const marks = {
    host: '<ACCESS_TOKEN>',
    path: '{"$secret":"<X>"}',
    stagingDatabase: '<PASSWORD>',
  };
  await patch({ databricks: { ...marks, accessToken: 'S3CRET' } });
  expect((await read()).databricks).toEqual({ ...marks, accessToken: '<ACCESS_TOKEN>' });
  const v = await ok('GET', `${history}/1`);
  expect(v.snapshot.databricks).toEqual({ ...marks, accessToken: '<ACCESS_TOKEN>' });
  await patch({ databricks: { accessToken: '<PASSWORD>' } });
  expect(await open('databricks.accessToken', (await stored()).databricks.accessToken)).toBe(
    'S3CRET',
  );
  await patch({ databricks: { accessToken: '' } });
  expect((await ok('GET', `${history}/2`)).snapshot.databricks.accessToken).toBe('');
});
