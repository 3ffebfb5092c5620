import { createScheduledController } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { expectListeners } from '../../src/project/webhooks/listening.ts';
import { claimDue, purgeWebhookDeliveries } from '../../src/project/webhooks/outbox.ts';
import { sendDue, signedRequest } from '../../src/project/webhooks/sending.ts';
import { call, costOf, invalidPropertiesOf, ok } from '../support/client.ts';
import { dump, emptyDatabase } from '../support/database.ts';
import { makeExperiment, makeGate, makeWebhook } from '../support/factories.ts';
import { failingDatabase, withBatches } from '../support/faults.ts';
import { allowMoreTrips } from '../support/responses.ts';
import { exportProject, importProject } from '../support/transfer.ts';

interface Received {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The action if the receiver is elsewhere. */
  redirect: string;
}

const received: Received[] = [];
const nothing: Received = { url: '', headers: {}, body: '', redirect: '' };

/** The response of a receiver. */
type Receive = (url: string, signal: AbortSignal) => Response | Promise<Response>;

/** Lets requests of the Worker go to a receiver. */
function receive(answer: Receive) {
  vi.stubGlobal(
    'fetch',
    async (
      url: string,
      { headers, body, redirect, signal }: Received & { signal: AbortSignal },
    ) => {
      received.push({ url, headers, body, redirect });
      return answer(url, signal);
    },
  );
}

const run = () => worker.scheduled(createScheduledController(), env);
const open = () => openDatabase(env.DB, 'first-primary');

/** Lets a time pass at once. */
const wait = (milliseconds: number) =>
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

const hours = 3_600_000;

/** Waits until an assertion holds, as long as a receiver may take. */
const eventually = (assertion: () => unknown) => vi.waitFor(assertion, 10_000);

/** Makes nothing be sent at once, so that the scheduler does. */
const quietly = () => receive(() => new Promise<Response>(() => {}));

/** A webhook with three pending deliveries. */
async function withThreeDue(): Promise<string> {
  quietly();
  const { id } = await makeWebhook({ kinds: ['gate'] });
  for (let count = 0; count < 3; count++) await makeGate();
  await eventually(() => expect(received).toHaveLength(3));
  wait(hours);
  received.length = 0;
  return id;
}

beforeEach(async () => {
  await emptyDatabase();
  received.length = 0;
  receive(() => new Response('ok'));
});

afterEach(() => {
  vi.useRealTimers();
});

const deliveriesOf = (id: string) => ok('GET', `webhooks/${id}/deliveries`);

/** The results of the deliveries of a webhook, newest first. */
const statusesOf = async (id: string): Promise<string[]> =>
  (await deliveriesOf(id)).map(({ status }: { status: string }) => status);

describe('a delivery', () => {
  test('is sent after the response of the change, with a signature that the secret verifies', async () => {
    const { id, secret } = await makeWebhook({ kinds: ['gate'] });
    const gate = await makeGate({ tags: ['told'] });
    await eventually(() => expect(received).toHaveLength(1));
    const [{ url, headers, body } = nothing] = received;
    expect(url).toBe('https://hooks.shop.example/console');
    const told = new Webhook(secret).verify(body, headers);
    expect(told).toMatchObject({
      type: 'gate.create',
      timestamp: new Date(gate.createdTime).toISOString(),
      data: { kind: 'gate', id: gate.id, version: 1, action: 'create', actorID: 'root' },
    });
    const [logged] = await ok('GET', `audit_logs?id=${gate.id}`);
    expect(told).toMatchObject({ data: logged });
    expect(JSON.stringify(told)).toContain('"told"');
    await eventually(async () =>
      expect(await deliveriesOf(id)).toEqual([
        expect.objectContaining({
          id: headers['webhook-id'],
          entityID: gate.id,
          status: 'delivered',
          attempts: 1,
          lastError: null,
        }),
      ]),
    );
    const newer = `whsec_${btoa('0123456789abcdef01234567')}`;
    await ok('PATCH', `webhooks/${id}`, { secret: newer });
    await makeGate();
    await eventually(() => expect(received).toHaveLength(2));
    const [, last = nothing] = received;
    expect(() => new Webhook(newer).verify(last.body, last.headers)).not.toThrow();
  });

  test('comes at once where its webhook was made while another change looked for any', async () => {
    expectListeners();
    let batches = 0;
    const DB = withBatches(env.DB, async (session, statements) => {
      const answers = await session.batch<never>(statements);
      if (++batches === 3) await makeWebhook({ kinds: ['gate'] });
      return answers;
    });
    const waiting: Promise<unknown>[] = [];
    await call('POST', 'gates', { body: { name: 'Before' }, bindings: { DB }, waiting });
    await Promise.all(waiting);
    expect([batches, received]).toEqual([3, []]);
    await makeGate();
    await eventually(() => expect(received).toHaveLength(1));
  });

  test.each<[string, (id: string) => Promise<unknown>]>([
    ['the scheduler', run],
    ['a read', (id) => ok('GET', `experiments/${id}`)],
    ['an evaluation', (id) => ok('POST', 'evaluate', { kind: 'experiment', id, user: {} })],
  ])('of what %s finds due comes with that, not a minute later', async (_, find) => {
    allowMoreTrips('requests store the start that is overdue');
    const { id } = await makeExperiment();
    await ok('PUT', `experiments/${id}/schedule_start`, { startTime: Date.now() + hours });
    await makeWebhook({ kinds: ['experiment'] });
    wait(2 * hours);
    await find(id);
    await eventually(() =>
      expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['experiment.start']),
    );
  });

  test('goes to no private network, however its webhook came by such an address', async () => {
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await env.DB.prepare("update webhooks set url = 'https://10.0.0.1/'").run();
    await makeGate();
    const lastError = 'must not be an address of a private network';
    await eventually(async () =>
      expect(await deliveriesOf(id)).toMatchObject([
        { status: 'pending', attempts: 1, lastError: expect.stringContaining(lastError) },
      ]),
    );
    expect(received).toEqual([]);
  });

  test('is signed as the specification shows', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signer = new Webhook(secret);
    const at = new Date(1_614_265_330_000);
    expect(signer.sign('msg_p5jXN8AQM9LWM0D4loKWxJek', at, '{"test": 2432232314}')).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
    const { headers, body } = signedRequest(secret, 'msg_1', Date.now(), {
      kind: 'gate',
      action: 'x',
      time: 0,
    });
    expect(() => signer.verify(`${body} `, headers)).toThrow('No matching signature');
  });

  test('is of the kinds and actions that are wanted, by active webhooks', async () => {
    quietly();
    const all = await makeWebhook();
    const updates = await makeWebhook({ kinds: ['gate', 'tag'], actions: ['update'] });
    const none = await makeWebhook({ isActive: false });
    const { id } = await makeGate();
    await ok('PATCH', `gates/${id}`, { description: 'New.' });
    await ok('PATCH', `gates/${id}?dryRun=true`, { description: 'Newer.' });
    const told = async ({ id }: { id: string }) =>
      (await deliveriesOf(id)).map(
        ({ kind, action }: Record<string, string>) => `${kind} ${action}`,
      );
    expect(await told(updates)).toEqual(['gate update']);
    expect((await told(all)).slice(0, 2)).toEqual(['gate update', 'gate create']);
    expect(await told(none)).toEqual([]);
  });

  test('costs a change nothing without a subscriber, and one row in its batch with one', async () => {
    const { id } = await makeGate();
    const change = async (description: string) =>
      costOf(await call('PATCH', `gates/${id}`, { body: { description } }));
    await change('First.');
    const before = await change('Second.');
    quietly();
    await makeWebhook({ kinds: ['gate'] });
    const { trips, written } = await change('Third.');
    expect(trips).toBe(before.trips);
    expect(written).toBeGreaterThan(before.written);
  });
});

describe('a receiver that', () => {
  test('fails gets the delivery again, with the same id, for three days', async () => {
    receive(() => new Response('no', { status: 500 }));
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await makeGate();
    await eventually(async () => expect((await deliveriesOf(id))[0].attempts).toBe(1));
    const start = Date.now();
    for (let attempt = 2; attempt <= 10; attempt++) {
      const [{ nextTime }] = await deliveriesOf(id);
      await run();
      expect(received).toHaveLength(attempt - 1);
      wait(nextTime - Date.now() + 1);
      await run();
      expect(received).toHaveLength(attempt);
    }
    const [{ status, nextTime, lastError }] = await deliveriesOf(id);
    expect([status, nextTime, lastError]).toEqual(['failed', null, 'The receiver answered 500.']);
    expect((Date.now() - start) / hours).toBeGreaterThan(70);
    expect((Date.now() - start) / hours).toBeLessThan(74);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('fails gets no second attempt in the same run', async () => {
    const id = await withThreeDue();
    receive(() => new Response('no', { status: 500 }));
    await run();
    expect(received).toHaveLength(1);
    const all = await deliveriesOf(id);
    expect(all.map(({ attempts }: { attempts: number }) => attempts)).toEqual([0, 0, 1]);
  });

  test('recovers gets the waiting deliveries in the next run', async () => {
    const id = await withThreeDue();
    receive(() => new Response('no', { status: received.length === 1 ? 500 : 200 }));
    await run();
    await run();
    expect(await statusesOf(id)).toEqual(['delivered', 'delivered', 'pending']);
  });

  test.each([
    ['is deleted', 'DELETE', undefined, 1, undefined],
    ['is inactive', 'PATCH', { isActive: false }, 1, undefined],
    ['has moved', 'PATCH', { url: 'https://new.shop.example/' }, 3, 'https://new.shop.example/'],
  ])(
    'is told the rest of a run where its webhook then is: %s',
    async (_, method, body, sent, url) => {
      const id = await withThreeDue();
      receive(async () => {
        if (received.length === 1) await ok(method, `webhooks/${id}`, body);
        return new Response('ok');
      });
      await run();
      expect(received).toHaveLength(sent);
      expect(received[1]?.url).toBe(url);
    },
  );

  test('gets nothing after its webhook becomes inactive', async () => {
    receive(() => new Response('no', { status: 500 }));
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await makeGate();
    await eventually(async () => expect((await deliveriesOf(id))[0].attempts).toBe(1));
    await ok('PATCH', `webhooks/${id}`, { isActive: false });
    wait(hours);
    await run();
    expect(received).toHaveLength(1);
    await ok('PATCH', `webhooks/${id}`, { isActive: true });
    await run();
    await eventually(() => expect(received).toHaveLength(2)); // by that, or after the change
  });

  test('becomes active again gets the missed deliveries', async () => {
    receive(() => Promise.reject(new Error('connection refused')));
    const { id } = await makeWebhook({ kinds: ['gate'] });
    for (let count = 0; count < 3; count++) await makeGate();
    await eventually(async () => {
      for (const { attempts } of await deliveriesOf(id)) expect(attempts).toBe(1);
    });
    receive(() => new Response('ok'));
    wait(hours);
    await run();
    expect(await statusesOf(id)).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('sends elsewhere is not followed', async () => {
    receive(() => new Response(null, { status: 302, headers: { Location: 'http://10.0.0.1/' } }));
    const { id, url } = await makeWebhook({ kinds: ['gate'], url: 'https://elsewhere.example/' });
    await makeGate();
    await eventually(async () =>
      expect((await deliveriesOf(id))[0].lastError).toBe('The receiver answered 302.'),
    );
    // Deliveries of an earlier test may still be under way.
    const own = received.filter((each) => each.url === url);
    expect(own).toMatchObject([{ redirect: 'manual' }]);
  });
});

describe('a receiver among others that', () => {
  test('waits for the next run where those before it took long', async () => {
    const id = await withThreeDue();
    receive(() => {
      wait(11_000);
      return new Response('ok');
    });
    await run();
    expect(await statusesOf(id)).toEqual(['pending', 'delivered', 'delivered']);
  });

  test('does not wait for the deliveries of another webhook, at any number', async () => {
    const [busy, other] = [
      await makeWebhook({ kinds: ['tag'] }),
      await makeWebhook({ kinds: ['tag'] }),
    ];
    const later = Date.now() + hours; // nothing is sent until then
    await env.DB.prepare(
      `insert into webhook_deliveries (id, webhookID, seq, status, attempts, nextTime, createdTime)
       with recursive n (n) as (select 1 union all select n + 1 from n where n < 60)
       select 'msg_' || n, iif(n < 60, ?1, ?2), (select max(seq) from revisions), 'pending', 0, ?3 + n, n from n`,
    )
      .bind(busy.id, other.id, later)
      .run();
    const due = await claimDue(openDatabase(env.DB, 'first-primary'), later + hours);
    const claimed = Map.groupBy(due, ({ webhookID }) => webhookID);
    expect([claimed.get(busy.id)?.length, claimed.get(other.id)?.length]).toEqual([50, 1]);
  });

  test('is slow is not cut off where the database failed to note what became of another', async () => {
    quietly();
    const of = (host: string) => makeWebhook({ kinds: ['gate'], url: `https://${host}.example/` });
    const [, slow] = [await of('first'), await of('slow')];
    await makeGate();
    await eventually(() => expect(received).toHaveLength(2));
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    receive(async (url) => {
      if (url.includes('slow')) await failed;
      return new Response('ok');
    });
    wait(hours);
    const DB = failingDatabase(env.DB, (batch) => {
      if (batch !== 2) return undefined;
      fail();
      return 'overloaded';
    });
    await expect(sendDue(env, openDatabase(DB, 'first-primary'))).rejects.toThrow('overloaded');
    expect(await deliveriesOf(slow.id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  test('waits for one of five requests that may be under way, and then has ten seconds of its own', async () => {
    receive(() => new Response('not yet', { status: 503 }));
    const made = Array.from({ length: 7 }, () => makeWebhook({ kinds: ['gate'] }));
    for (const { id } of await Promise.all(made)) await deliver(id, 1, 1);
    const underWay: { signal: AbortSignal; end: () => void }[] = [];
    receive(
      (_, signal) =>
        new Promise((resolve) => {
          underWay.push({ signal, end: () => resolve(new Response('ok')) });
        }),
    );
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() + hours });
    const begun = async (count: number) => {
      while (underWay.length < count) await env.DB.prepare('select 1').run();
    };
    const running = sendDue(env, open());
    await begun(5);
    await env.DB.prepare('select 1').run();
    expect(underWay).toHaveLength(5);
    vi.advanceTimersByTime(9_000);
    for (const { end } of underWay.slice(0, 5)) end();
    await begun(7);
    vi.advanceTimersByTime(9_000);
    const late = underWay.slice(5);
    expect(late.map(({ signal }) => signal.aborted)).toEqual([false, false]);
    vi.advanceTimersByTime(1_000);
    expect(late.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    for (const { end } of late) end();
    await running;
  });

  test('waits for the next run where it could not be sent within this one, and counts no attempt', async () => {
    quietly();
    const { id } = await makeWebhook({ kinds: ['gate'] });
    for (let count = 0; count < 3; count++) await makeGate();
    await eventually(() => expect(received).toHaveLength(3));
    wait(hours);
    receive(() => {
      wait(14_500); // a run ends within 25 seconds, ten of which the next might take
      return new Response('ok');
    });
    await run();
    expect(await deliveriesOf(id)).toMatchObject([
      { status: 'pending', attempts: 0, lastError: null },
      { status: 'pending', attempts: 0, lastError: null },
      { status: 'delivered', attempts: 1 },
    ]);
  });

  test('is slow, or never ends, holds up no other, nor a change', async () => {
    const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1024)) });
    receive((url) => {
      if (url.includes('endless')) return new Response(endless);
      if (!url.includes('slow')) return new Response('ok');
      return new Promise(() => {}); // never, however long it may take
    });
    const of = (host: string) => makeWebhook({ kinds: ['gate'], url: `https://${host}.example/` });
    const [slow, endlessly, fast] = [await of('slow'), await of('endless'), await of('fast')];
    await makeGate();
    for (const { id } of [endlessly, fast])
      await eventually(async () => expect((await deliveriesOf(id))[0].status).toBe('delivered'));
    expect((await deliveriesOf(slow.id))[0]).toMatchObject({ status: 'pending', attempts: 0 });
  });
});

describe('a delivery that was made, or has failed,', () => {
  test('is sent again on request', async () => {
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await makeGate();
    await eventually(async () => expect((await deliveriesOf(id))[0].status).toBe('delivered'));
    const [delivery] = await deliveriesOf(id);
    await ok('PUT', `webhooks/${id}/deliveries/${delivery.id}/resend`);
    await eventually(() => expect(received).toHaveLength(2));
    expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
    await eventually(async () =>
      expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 }),
    );
    expect((await call('PUT', `webhooks/${id}/deliveries/none/resend`)).status).toBe(404);
    const { id: other } = await makeWebhook();
    const elsewhere = `webhooks/${other}/deliveries/${delivery.id}/resend`;
    expect((await call('PUT', elsewhere)).status).toBe(404);
  });

  test('is sent again even if that is requested during an attempt', async () => {
    quietly();
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await makeGate();
    await eventually(() => expect(received).toHaveLength(1));
    const [delivery] = await deliveriesOf(id);
    wait(hours);
    receive(async () => {
      quietly(); // deliveries after the response
      await ok('PUT', `webhooks/${id}/deliveries/${delivery.id}/resend`);
      return new Response('no', { status: 500 });
    });
    await sendDue(env, open());
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'pending', attempts: 0 });
    receive(() => new Response('ok'));
    wait(hours);
    await run();
    expect((await deliveriesOf(id))[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  test('is not sent again once its webhook is gone, nor where the same request removes that', async () => {
    quietly();
    const { id } = await makeWebhook({ kinds: ['gate'] });
    await makeGate();
    const [delivery] = await deliveriesOf(id);
    const resend = `webhooks/${id}/deliveries/${delivery.id}/resend`;
    const changes = [
      { method: 'DELETE', path: `/console/v1/webhooks/${id}` },
      { method: 'PUT', path: `/console/v1/${resend}` },
    ];
    const { status, body } = await call('POST', 'changes', { body: { changes } });
    expect([status, body.index]).toEqual([404, 1]);
    await ok('DELETE', `webhooks/${id}`);
    expect((await call('PUT', resend)).status).toBe(404);
  });

  test('is forgotten after thirty days, and with its webhook', async () => {
    const [one, other] = [
      await makeWebhook({ kinds: ['gate'] }),
      await makeWebhook({ kinds: ['gate'] }),
    ];
    await makeGate();
    await ok('DELETE', `webhooks/${other.id}`);
    await run();
    expect((await dump()).webhook_deliveries).toHaveLength(1);
    expect(await deliveriesOf(one.id)).toHaveLength(1);
    wait(29.9 * 24 * hours);
    await run();
    expect((await dump()).webhook_deliveries).toHaveLength(1);
    wait(0.1 * 24 * hours);
    await run();
    expect((await dump()).webhook_deliveries).toEqual([]);
  });

  test('is kept for thirty days after an import of changes from long ago', async () => {
    wait(-35 * 24 * hours);
    await ok('POST', 'tags', { name: 'old' });
    const history = await exportProject('?history=true');
    await emptyDatabase();
    quietly();
    const { id } = await makeWebhook({ kinds: ['tag'] });
    vi.useRealTimers();
    await importProject(history);
    const told = await deliveriesOf(id);
    expect(told.length).toBeGreaterThan(0);
    await run();
    expect(await deliveriesOf(id)).toHaveLength(told.length);
  });

  test('is counted with all others of its webhook, without a look at each', async () => {
    const { id } = await makeWebhook({ kinds: ['tag'] });
    const changes = Array.from({ length: 50 }, (_, index) => ({
      ...{ method: 'POST', path: '/console/v1/tags', body: { name: `Tag ${index}` } },
    }));
    await ok('POST', 'changes', { changes });
    const first = await call('GET', `webhooks/${id}/deliveries?limit=2`);
    const { totalItems, nextPage } = first.body.pagination;
    const next = await call('GET', nextPage);
    expect([totalItems, next.body.pagination.totalItems]).toEqual([50, 50]);
    for (const page of [first, next]) expect(costOf(page).read).toBeLessThanOrEqual(16);
  });
});

describe('a webhook', () => {
  test('shows its secret once, and stores it sealed', async () => {
    const secret = `whsec_${btoa('0123456789abcdef01234567')}`;
    const webhook = await makeWebhook({ secret });
    expect(webhook.secret).toBe(secret);
    expect(await ok('GET', `webhooks/${webhook.id}`)).not.toHaveProperty('secret');
    expect(JSON.stringify(await dump())).not.toContain(secret);
    expect(JSON.stringify(await ok('GET', `webhooks/${webhook.id}/versions/1`))).toContain(
      '<SECRET>',
    );
    expect((await makeWebhook()).secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(
      await invalidPropertiesOf('POST', 'webhooks', {
        name: 'Short',
        url: 'https://a.example',
        secret: 'whsec_x',
      }),
    ).toEqual(['secret']);
  });

  test.each([
    ['of 23 bytes', btoa('a'.repeat(23))],
    ['of 65 bytes', btoa('a'.repeat(65))],
    ['of 66 bytes', btoa('a'.repeat(66))],
    ['without its padding', btoa('a'.repeat(25)).replaceAll('=', '')],
    ['with padding too much', `${btoa('a'.repeat(24))}==`],
    ['cut off', btoa('a'.repeat(27)).slice(1)],
  ])(
    'has no secret that others could not read as base64, nor another length: %s',
    async (_, text) => {
      const body = { name: 'Hooks', url: 'https://a.example', secret: `whsec_${text}` };
      expect(await invalidPropertiesOf('POST', 'webhooks', body)).toEqual(['secret']);
    },
  );

  test.each([24, 25, 26, 27, 62, 63, 64])('may have a secret of %i bytes', async (bytes) => {
    const secret = `whsec_${btoa('a'.repeat(bytes))}`;
    expect((await makeWebhook({ secret })).secret).toBe(secret);
  });

  test('with a secret sealed with another key reports that in its deliveries', async () => {
    const { id } = await makeWebhook({ kinds: ['gate'] });
    const bindings = { SEALING_KEY: btoa('fedcba9876543210fedcba9876543210') };
    await call('POST', 'gates', { body: { name: 'Sealed' }, bindings });
    await eventually(async () =>
      expect((await deliveriesOf(id))[0]).toMatchObject({
        status: 'pending',
        attempts: 1,
        lastError: expect.stringContaining('SEALING_KEY'),
      }),
    );
    expect(received).toEqual([]);
  });

  test('keeps its secret where an earlier version comes back, as one that leaked would with it', async () => {
    const secretOf = async () => (await dump()).webhooks?.[0]?.secret;
    const { id } = await makeWebhook();
    await ok('PATCH', `webhooks/${id}`, { secret: `whsec_${btoa('0123456789abcdef01234567')}` });
    const secret = await secretOf();
    await ok('PATCH', `webhooks/${id}`, { name: 'Renamed' });
    await ok('PUT', `webhooks/${id}/versions/1/restore`);
    expect(await secretOf()).toBe(secret);
    for (const version of [3, 1]) {
      await ok('DELETE', `webhooks/${id}`);
      await ok('PUT', `webhooks/${id}/versions/${version}/restore`);
      expect(await secretOf()).toBe(secret);
    }
    const one = (method: string, path: string) => ({
      method,
      path: `/console/v1/webhooks/${path}`,
    });
    const changes = [one('DELETE', id), one('PUT', `${id}/versions/1/restore`)];
    await ok('POST', 'changes', { changes });
    expect(await secretOf()).toBe(secret);
  });

  test.each([
    'http://hooks.example/',
    'ftp://hooks.example/',
    'https://localhost/',
    'https://console/',
    'https://printer.local/',
    'https://db.internal/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://10.1.2.3/',
    'https://172.31.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/',
    'https://100.64.0.1/',
    'https://100.127.255.254/',
    'https://172.16.0.1/',
    'https://198.19.0.1/',
    'https://203.0.113.7/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://localhost./',
    'https://router.home.arpa./',
    'https://home.arpa/',
    'https://localhost.localdomain/',
    'https://kubernetes.default.svc/',
    'https://[::1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[2002:a00:1::]/',
    'https://[2001:db8::1]/',
    'https://[2001::1]/',
    'https://[2001:2::1]/',
    'https://[2001:1ff::1]/',
    'https://[3fff:fff::1]/',
    'https://192.88.99.1/',
    'https://wiki.corp/',
    'https://router.home./',
    'nothing',
  ])('goes to no such place as %s, unless in local development', async (url) => {
    expect(await invalidPropertiesOf('POST', 'webhooks', { name: 'Private', url })).toEqual([
      'url',
    ]);
    const { id } = await makeWebhook();
    expect(await invalidPropertiesOf('PATCH', `webhooks/${id}`, { url })).toEqual(['url']);
    if (!url.startsWith('http')) return;
    const body = { name: 'Local', url };
    const local = await call('POST', 'webhooks', { body, bindings: { WEBHOOK_URLS: 'any' } });
    expect(local.status).toBe(201);
  });

  test.each([
    'https://user:password@hooks.example/',
    'https://user@hooks.example/',
    'http://user:password@localhost/',
  ])('takes no password, such as of %s, in local development either', async (url) => {
    const body = { name: 'Private', url };
    for (const bindings of [{}, { WEBHOOK_URLS: 'any' } as const]) {
      const answer = await call('POST', 'webhooks', { body, bindings });
      expect([answer.status, answer.body.errors?.[0].property]).toEqual([400, 'url']);
    }
  });

  test.each([
    'https://hooks.example/',
    'https://8.8.8.8/',
    'https://172.32.0.1/',
    'https://[2606:4700::1111]/',
  ])('goes to %s', async (url) => expect((await makeWebhook({ url })).url).toBe(url));
});

describe('the filters of a webhook', () => {
  const body = { name: 'Told', url: 'https://hooks.example/' };

  test('is of kinds and actions that the audit log has: 400 otherwise', async () => {
    const { id } = await makeWebhook();
    for (const [method, path] of [
      ['POST', 'webhooks'],
      ['PATCH', `webhooks/${id}`],
    ] as const)
      expect(
        await invalidPropertiesOf(method, path, {
          ...body,
          kinds: ['gate', 'goat', ''],
          actions: ['update', 'upgrade'],
        }),
      ).toEqual(['kinds.1', 'kinds.2', 'actions.1']);
  });

  test('accept plural names, and return the names of the audit log', async () => {
    const kinds = ['gates', 'experiment', 'companies', 'metric_values'];
    const made = await ok('POST', 'webhooks', { ...body, kinds, actions: ['rename_tag'] });
    expect(made.kinds).toEqual(['gate', 'experiment', 'company', 'metric_values']);
    expect((await ok('GET', `webhooks/${made.id}`)).actions).toEqual(['rename_tag']);
  });
});

/** Gives a webhook this many deliveries, pending or not. */
const deliver = (webhook: string, count: number, nextTime: number | null) =>
  env.DB.prepare(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?1)
    insert into webhook_deliveries (id, webhookID, seq, status, attempts, nextTime, createdTime)
    select ?2 || '_' || i, ?2, 1, 'pending', 0, ?3, ?4 from n`,
  )
    .bind(count, webhook, nextTime, Date.now())
    .run();

test('what waits for a receiver that is away costs the next change nothing', async () => {
  quietly();
  const [{ id }, { id: other }] = [await makeWebhook(), await makeWebhook()];
  await deliver(id, 5000, 1);
  await deliver(other, 2, 1);
  const db = openDatabase(env.DB, 'first-primary');
  const due = await claimDue(db, Date.now());
  expect(due.filter(({ webhookID }) => webhookID === id)).toHaveLength(50);
  expect(due.filter(({ webhookID }) => webhookID === other)).toHaveLength(2);
  expect(db.meter.rowsRead).toBeLessThan(1000);
});

test('a run of the scheduler asks the database no more often than D1 answers it, and loses nothing', async () => {
  quietly();
  const all = await Promise.all(Array.from({ length: 10 }, () => makeWebhook()));
  for (const { id } of all) await deliver(id, 50, 1);
  receive(() => new Response('ok'));
  const DB = withBatches(env.DB, (session, statements) => {
    batches++;
    return session.batch<never>(statements);
  });
  let batches = 0;
  await worker.scheduled(createScheduledController(), { ...env, DB });
  expect(batches).toBeLessThan(350);
  wait(2 * 60_000); // unsent claims expire
  await run();
  const sent = received.map(({ headers }) => headers['webhook-id'] ?? '');
  expect(new Set(sent.filter((id) => /_\d+$/.test(id))).size).toBe(500);
});

test('a change with very many subscribers needs no more queries, and loses no delivery', async () => {
  allowMoreTrips('each new webhook is read by itself');
  quietly();
  const { url } = await makeWebhook({ kinds: ['gate'] });
  const another = { method: 'POST', path: '/console/v1/webhooks' };
  const body = { name: 'One of many', url, kinds: ['gate'] };
  for (let count = 1; count < 320; count += 29)
    await ok('POST', 'changes', { changes: Array(29).fill({ ...another, body }) });
  receive(() => new Response('ok'));
  const DB = withBatches(env.DB, (session, statements) => {
    batches++;
    return session.batch<never>(statements);
  });
  let batches = 0;
  const waiting: Promise<unknown>[] = [];
  await call('POST', 'gates', { body: { name: 'Told to many' }, bindings: { DB }, waiting });
  await Promise.all(waiting);
  expect(batches).toBeLessThan(310);
  wait(2 * 60_000);
  await run();
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(320);
});

test('finished deliveries and deleted webhooks cost the scheduler nothing', async () => {
  await emptyDatabase();
  await deliver((await makeWebhook({ kinds: ['gate'] })).id, 5000, null);
  for (let count = 0; count < 20; count++) {
    const { id } = await makeWebhook({ isActive: false });
    await ok('DELETE', `webhooks/${id}`);
  }
  const db = openDatabase(env.DB, 'first-primary');
  await purgeWebhookDeliveries(db, Date.now());
  expect(db.meter).toMatchObject({ trips: 1, rowsWritten: 0 });
  expect(db.meter.rowsRead).toBeLessThanOrEqual(15);
});

test('a webhook that was restored keeps what it has', async () => {
  const { id } = await makeWebhook({ kinds: ['gate'] });
  await ok('DELETE', `webhooks/${id}`);
  await ok('PUT', `webhooks/${id}/versions/1/restore`);
  await deliver(id, 3, null);
  await purgeWebhookDeliveries(openDatabase(env.DB, 'first-primary'), Date.now());
  expect(await deliveriesOf(id)).toHaveLength(3);
});
