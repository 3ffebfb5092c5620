import type { Route } from '../src/http/openapi.ts';
import { base, call, ok } from './client.ts';

let count = 0;

/** A name that no other entity of the run has. */
export const unique = (prefix: string) => `${prefix} ${++count}`;

/** What a body may say in place of the defaults. */
type Overrides = Record<string, unknown>;

export const makeGate = (overrides: Overrides = {}) =>
  ok('POST', 'gates', { name: unique('Gate'), ...overrides });

export const makeExperiment = (overrides: Overrides = {}) =>
  ok('POST', 'experiments', { name: unique('Experiment'), ...overrides });

export const makeSource = async (overrides: Overrides = {}) => {
  const source = await ok('POST', 'experiments/assignment_sources', {
    name: unique('Source'),
    ...overrides,
  });
  return { ...source, id: source.name };
};

export const makeKey = (overrides: Overrides = {}) =>
  ok('POST', 'keys', { name: unique('Key'), scopes: ['read'], ...overrides });

/** One rule that passes everyone. */
export const everyone = { name: 'Everyone', passPercentage: 100, conditions: [{ type: 'public' }] };

/** One rule that passes who passes another gate. */
export const passing = (gateID: string) => ({
  name: `Passes ${gateID}`,
  passPercentage: 100,
  conditions: [{ type: 'passes_gate', targetValue: gateID }],
});

/** An experiment of the groups `control` and `test`, in a status. */
export async function makeExperimentIn(status: string) {
  const sizes = ['control', 'test'].map((name) => ({ name, id: name, size: 50 }));
  const experiment = await makeExperiment({ groups: sizes });
  const move = (name: string, body?: unknown) =>
    ok('PUT', `experiments/${experiment.id}/${name}`, body);
  const reason = { decisionReason: 'Because.' };
  const path: Record<string, () => Promise<unknown>> = {
    setup: async () => {},
    active: () => move('start'),
    assignment_stopped: () => move('start').then(() => move('stop_assignment', reason)),
    experiment_stopped: () => move('start').then(() => move('stop', reason)),
    decision_made: () => move('start').then(() => move('make_decision', { id: 'test', ...reason })),
    abandoned: () => move('start').then(() => move('abandon', reason)),
    archived: () => move('archive'),
  };
  await path[status]?.();
  return experiment;
}

/** What an operation needs to succeed, beyond the example of its documentation. */
export interface Fixture {
  id?: string;
  body?: unknown;
  query?: string;
  /** Adds one more to what the operation lists. */
  populate?: () => Promise<unknown>;
}

/** How to make one of the things below a path; the first that fits is taken. */
const makers: [string, (overrides?: Overrides) => Promise<{ id: string }>][] = [
  ['/gates', makeGate],
  ['/experiments/assignment_sources', makeSource],
  ['/experiments', makeExperiment],
  ['/keys', makeKey],
  ['/audit_logs', makeGate],
];

/** How to make one of the things below a path that an operation lists there. */
const lists: Record<string, (id: string) => Promise<unknown>> = {
  '/gates/:id/gate_references': (id) => makeGate({ rules: [passing(id)] }),
  '/gates/:id/experiment_references': (id) => makeExperiment({ targetingGateID: id }),
};

/** Operations that need more than an entity and the documented example. */
const special: Record<string, () => Promise<Fixture>> = {
  'PUT /gates/:id/unarchive': async () => {
    const gate = await makeGate();
    await ok('PUT', `gates/${gate.id}/archive`);
    return gate;
  },
  'PUT /experiments/:id/stop': () => makeExperimentIn('active'),
  'PUT /experiments/:id/abandon': () => makeExperimentIn('active'),
  'PUT /experiments/:id/stop_assignment': () => makeExperimentIn('active'),
  'PUT /experiments/:id/make_decision': () => makeExperimentIn('active'),
  'PUT /experiments/:id/reset': () => makeExperimentIn('active'),
  'PUT /experiments/:id/unarchive': () => makeExperimentIn('archived'),
  'POST /experiments/:id/overrides': () => withEmployees(),
  'PATCH /experiments/:id/overrides': () => withEmployees(),
  'DELETE /experiments/:id/overrides': () => withEmployees(),
};

async function withEmployees(): Promise<Fixture> {
  await call('POST', 'gates', { body: { name: 'Employees', id: 'employees' } }); // or it is there
  return makeExperimentIn('setup');
}

/** Prepares the database for one successful call of an operation. */
export async function fixtures({ method, path }: Route): Promise<Fixture> {
  const short = path.slice(base.length);
  const prepare = special[`${method} ${short}`];
  if (prepare) {
    const { id, body, query } = await prepare();
    return { id, body, query };
  }
  const make = makers.find(([prefix]) => short.startsWith(prefix))?.[1];
  if (!make) throw new Error(`no factory makes what is below ${short}`);
  if (method === 'POST' && !short.includes(':')) return {};
  const { id } = await make();
  const populate = short.endsWith('/versions')
    ? () => change(short.replace('/:id/versions', '').slice(1), id)
    : make;
  const list = lists[short];
  return { id, populate: list ? () => list(id) : populate };
}

/** Makes one more version of a thing of any kind: removes it, or brings it back. */
async function change(path: string, id: string): Promise<void> {
  const entity = `${path}/${encodeURIComponent(id)}`;
  const { status } = await call('DELETE', entity);
  if (status === 404) await ok('PUT', `${entity}/versions/1/restore`);
}
