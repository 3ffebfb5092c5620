import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { unbounded } from '../src/evaluation/compile.ts';
import { loadSnapshot, type Snapshot } from '../src/serving/snapshot.ts';
import { revisionsAfter } from '../src/serving/sources.ts';
import { openDatabase } from '../src/store/sql/database.ts';
import { costOf, send } from './support/client.ts';
import { emptyDatabase } from './support/database.ts';
import { checkInvariants } from './support/invariants.ts';
import { Model, Refusal } from './support/model.ts';
import { type Random, randomOf } from './support/random.ts';
import { randomFocus, randomStep, type Step } from './support/steps.ts';
import { checkTransfer } from './support/transfer.ts';

const steps = Number(env.MODEL_STEPS);
const seed = Number(env.SEED);

/** How many changes come before all that must hold is looked at. */
const sequence = 100;

/** What the model makes of changes at once: what it is after them, or the statuses that may refuse them. */
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

/** The model after a change; nothing where it must be refused. */
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

/** Changes that stand together; some name what the ones before them made, and few must be refused by themselves. */
function randomBatch(random: Random, model: Model, size: number): Step[] {
  const focus = randomFocus(random);
  let known = model.fork();
  known.batch += 1;
  return Array.from({ length: size }, () => {
    const isStubborn = random.onceIn(30);
    for (let tries = 1; ; tries++) {
      const step = randomStep(random, known, focus);
      const next = after(known, step);
      if (!next && !isStubborn && tries < 10) continue;
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
  const { trips } = costOf(response);
  return { status: response.status, body, trips, results: isAlone ? [body] : Object(body.data) };
}

/** What was changed at random, and what it came to, as a failure shows it. */
const told = (batch: Step[], body: object) =>
  `seed ${seed}\n${batch.map(({ method, path, body: own }) => `${method} ${path} ${JSON.stringify(own)}`).join('\n')}\n→ ${JSON.stringify(body)}`;

/** How often each outcome is sought. */
const sought = ['made', 'made', 'made', 'made', 'dangling', 'circle', 'circle'] as const;

/** A batch at random, and what the model makes of it, which is more often than not that it can be made. */
function chooseBatch(random: Random, model: Model) {
  const wanted = random.pick(sought);
  const size = random.onceIn(4) ? 1 : 2 + random.below(8);
  for (let count = 1; ; count++) {
    const batch = randomBatch(random, model, size);
    const outcome = expected(model, batch);
    if (outcome.is === wanted || count >= 25) return { batch, outcome };
  }
}

async function runBatch(random: Random, model: Model): Promise<{ model: Model; size: number }> {
  const { batch, outcome } = chooseBatch(random, model);
  const started = Date.now();
  const { status, body, trips, results } = await make(batch);
  expect(Date.now() - started, told(batch, body)).toBeLessThan(4000);
  const size = batch.length;
  // Two trips a change, and two to say why they are refused: nothing is computed again that nobody else changed.
  expect(trips, told(batch, body)).toBeLessThanOrEqual(2 * size + 2);
  if (outcome.is === 'made') {
    expect(status, told(batch, body)).toBeLessThan(300);
    for (const [index, { created }] of batch.entries()) {
      const result = Object(results[index]);
      created?.(outcome.model, (result.body ?? result).data.id);
    }
    return { model: outcome.model, size };
  }
  expect(outcome.statuses, told(batch, body)).toContain(status);
  return { model, size };
}

const table = (name: string) =>
  env.DB.prepare(`select * from ${name}`).all<Record<string, unknown>>();

/** The versions of all entities are those of the model. */
async function checkVersions(model: Model): Promise<void> {
  const stored = new Map<string, unknown>();
  for (const kind of ['gates', 'dynamic_configs', 'experiments', 'layers', 'holdouts'])
    for (const row of (await table(kind)).results)
      if (model.version(`${kind}/${row.id}`) > 0) stored.set(`${kind}/${row.id}`, row.version);
  const known = [...model.things.keys()].map((name) => [name, model.version(name)]);
  expect(Object.fromEntries(stored), `seed ${seed}`).toEqual(Object.fromEntries(known));
}

/** An isolate that follows the changes evaluates as one that reads all anew. */
async function checkFollowed(followed: Snapshot): Promise<void> {
  const db = openDatabase(env.DB, 'first-primary');
  const [changes] = await db.read(revisionsAfter(followed.seq));
  followed.apply(changes);
  const anew = await loadSnapshot(db);
  expect(followed.seq).toBe(anew.seq);
  expect(followed.project(unbounded), `seed ${seed}`).toEqual(anew.project(unbounded));
}

test(`${steps} changes at random do what the model says, and break nothing`, async () => {
  await emptyDatabase(); // also where it is tried again
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
  expect(made / steps, 'enough of them are made').toBeGreaterThan(0.3);
  await checkTransfer(`seed ${seed}`);
}, 3_600_000);
