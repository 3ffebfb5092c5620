import { env } from 'cloudflare:workers';
import { getTableName } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isObject } from '../../src/base/value_types.ts';
import { loadSnapshot, type Snapshot } from '../../src/delivery/serving/snapshot.ts';
import { revisionsAfter } from '../../src/delivery/serving/sources.ts';
import { unboundedScope } from '../../src/engine/evaluation/compile.ts';
import { openDatabase } from '../../src/platform/store/sql/database.ts';
import { registry } from '../../src/registry.ts';
import { costOf, send } from '../support/client.ts';
import { emptyDatabase } from '../support/database.ts';
import { checkInvariants } from '../support/invariants.ts';
import { Model, Refusal } from '../support/model.ts';
import { type Random, randomOf } from '../support/random.ts';
import { randomFocus, randomStep, type Step } from '../support/steps.ts';
import { checkTransfer } from '../support/transfer.ts';

const steps = Number(env.MODEL_STEPS);
const seed = Number(env.SEED);

/** Changes between two checks of all invariants. */
const sequence = 100;

/** Limits the rows that one batch reads and writes. */
const maxRows = 20_000;

/** The expected result of a batch: the next model, or the statuses that may reject it. */
type Outcome =
  | { is: 'made'; model: Model }
  | { is: 'refused' | 'dangling' | 'circle'; statuses: number[] };

function expected(model: Model, batch: Step[]): Outcome {
  const whole = model.fork();
  whole.batch += 1;
  try {
    for (const step of batch) step.apply(whole);
  } catch (error) {
    if (error instanceof Refusal) return { is: 'refused', statuses: [error.status] };
    throw error;
  }
  if (!whole.isWhole()) return { is: 'dangling', statuses: [400, 409] };
  if (whole.hasCircle()) return { is: 'circle', statuses: [400] };
  return { is: 'made', model: whole };
}

/** Returns the model after a change, or undefined if the change must be rejected. */
function after(model: Model, step: Step): Model | undefined {
  const next = model.fork();
  try {
    step.apply(next);
    return next;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Returns a batch whose changes may refer to earlier ones; few must be rejected on their own. */
function randomBatch(random: Random, model: Model, size: number): Step[] {
  const focus = randomFocus(random);
  let known = model.fork();
  known.batch += 1;
  return Array.from({ length: size }, () => {
    const mayBeRejected = random.onceIn(30);
    for (let tries = 1; ; tries++) {
      const step = randomStep(random, known, focus);
      const next = after(known, step);
      if (!next && !mayBeRejected && tries < 10) continue;
      known = next ?? known;
      return step;
    }
  });
}

async function make(batch: Step[]) {
  const changes = batch.map(({ method, path, body }) => ({ method, path, body }));
  const [only] = batch;
  const isAlone = batch.length === 1 && only !== undefined;
  const response = isAlone
    ? await send(only.method, only.path, { body: only.body })
    : await send('POST', 'changes', { body: { changes } });
  const body: { data: unknown } = await response.json();
  const { trips, read, written } = costOf(response);
  const together = Array.isArray(body.data) ? body.data.map((result) => result.body?.data) : [];
  const results: unknown[] = isAlone ? [body.data] : together;
  return { status: response.status, body, trips, rows: read + written, results };
}

const idOf = (data: unknown) => (isObject(data) ? String(data.id) : '');

/** Describes a batch and its response for a failure. */
const describeBatch = (batch: Step[], body: object) =>
  `seed ${seed}\n${batch.map(({ method, path, body: own }) => `${method} ${path} ${JSON.stringify(own)}`).join('\n')}\n→ ${JSON.stringify(body)}`;

/** Outcomes by their frequency. */
const wantedOutcomes = ['made', 'made', 'made', 'made', 'dangling', 'circle', 'circle'] as const;

/** Returns a random batch, most often one that can be stored, and its expected result. */
function chooseBatch(random: Random, model: Model) {
  const wanted = random.pick(wantedOutcomes);
  const size = random.onceIn(4) ? 1 : 2 + random.below(8);
  for (let count = 1; ; count++) {
    const batch = randomBatch(random, model, size);
    const outcome = expected(model, batch);
    if (outcome.is === wanted || count >= 25) return { batch, outcome };
  }
}

async function runBatch(random: Random, model: Model): Promise<{ model: Model; size: number }> {
  const { batch, outcome } = chooseBatch(random, model);
  const { status, body, trips, rows, results } = await make(batch);
  expect(rows, describeBatch(batch, body)).toBeLessThan(maxRows);
  const size = batch.length;
  // Two round trips a change, and two to explain a rejection: nothing is computed again without concurrent changes.
  expect(trips, describeBatch(batch, body)).toBeLessThanOrEqual(2 * size + 2);
  if (outcome.is === 'made') {
    expect(status, describeBatch(batch, body)).toBeLessThan(300);
    for (const [index, { created }] of batch.entries())
      created?.(outcome.model, idOf(results[index]));
    return { model: outcome.model, size };
  }
  expect(outcome.statuses, describeBatch(batch, body)).toContain(status);
  return { model, size };
}

const table = (name: string) =>
  env.DB.prepare(`select * from ${name}`).all<Record<string, unknown>>();

/** Checks that all entities have the versions of the model. */
async function checkVersions(model: Model): Promise<void> {
  const stored = new Map<string, unknown>();
  for (const { path, kind } of registry)
    for (const { id, version } of kind ? (await table(getTableName(kind.table))).results : [])
      if (model.version(`${path}/${id}`) > 0) stored.set(`${path}/${id}`, version);
  const known = [...model.things.keys()].map((name) => [name, model.version(name)]);
  expect(Object.fromEntries(stored), `seed ${seed}`).toEqual(Object.fromEntries(known));
}

/** Checks that a snapshot which applied all changes equals one loaded from scratch. */
async function checkFollowed(followed: Snapshot): Promise<void> {
  const db = openDatabase(env.DB, 'first-primary');
  const [changes] = await db.read(revisionsAfter(followed.seq));
  followed.apply(changes);
  const reloaded = await loadSnapshot(db);
  expect(followed.seq).toBe(reloaded.seq);
  expect(followed.project(unboundedScope), `seed ${seed}`).toEqual(
    reloaded.project(unboundedScope),
  );
}

test(`${steps} random changes have the results of the model and keep all invariants`, async () => {
  await emptyDatabase();
  const random = randomOf(seed);
  let model = new Model();
  let made = 0;
  const followed = await loadSnapshot(openDatabase(env.DB, 'first-primary'));
  for (let done = 0, next = sequence; done < steps; ) {
    const before = model;
    const result = await runBatch(random, model);
    ({ model } = result);
    done += result.size;
    if (model !== before) made += result.size;
    if (done < next && done < steps) continue;
    next += sequence;
    await checkInvariants();
    await checkVersions(model);
    await checkFollowed(followed);
  }
  expect(made / steps, 'share of stored changes').toBeGreaterThan(0.3);
  await checkTransfer(`seed ${seed}`);
}, 3_600_000);
