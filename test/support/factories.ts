import { env } from 'cloudflare:workers';
import type * as z from 'zod';
import { isObject } from '../../src/base/value_types.ts';
import type { connectionPatch } from '../../src/data/connections/schema.ts';
import { autotuneResource } from '../../src/experiments/autotunes/resource.ts';
import { holdoutResource } from '../../src/experiments/holdouts/resource.ts';
import type { Route } from '../../src/platform/openapi/routes.ts';
import { exampleOf } from '../../src/platform/openapi/schemas.ts';
import type { Resource } from '../../src/platform/resource/resource.ts';
import { registry } from '../../src/registry.ts';
import type { Creations, Event, Phase } from './bodies.ts';
import { base, call, ok } from './client.ts';

let count = 0;

/** Numbers names from 1 again, so that the draws of a file do not depend on the files before it. */
export function restartNames(): void {
  count = 0;
}

/** Returns a name that is unique in this file. */
export const unique = (prefix: string) => `${prefix} ${++count}`;

/** Properties of the body of a creation that replace the defaults. */
type Of<Path extends keyof Creations> = Partial<Creations[Path]>;

/** Creates an entity with the example of its resource and a unique name. */
async function makeExample({ path, example, kind }: Resource, overrides: object = {}) {
  const body = { name: unique(kind?.title ?? path), ...example, ...overrides };
  const entity = await ok('POST', path, body);
  return { id: entity.name, ...entity }; // a response without an ID has it as its name
}

/** Returns the factory of the entities at a path. */
function makerOf<Path extends keyof Creations>(path: Path) {
  const resource = registry.find((each) => each.path === path);
  if (!resource) throw new Error(`no resource at ${path}`);
  return (overrides: Of<Path> = {}) => makeExample(resource, overrides);
}

export const makeGate = makerOf('gates');
export const makeDynamicConfig = makerOf('dynamic_configs');
export const makePrompt = makerOf('prompts');
export const makeExperiment = makerOf('experiments');
export const makeLayer = makerOf('layers');
export const makeHoldout = makerOf('holdouts');
export const makeSource = makerOf('experiments/assignment_sources');
export const makeSegment = makerOf('segments');
export const makeAutotune = makerOf('autotunes');
export const makeMetric = makerOf('metrics');
export const makePipeline = makerOf('release_pipelines');
export const makeKey = makerOf('keys');
export const makeParamStore = makerOf('param_stores');
export const makeTargetApp = makerOf('target_apps');
export const makeWebhook = makerOf('webhooks');

/** Creates and starts an experiment. */
export const makeStartedExperiment = async (overrides: Of<'experiments'> = {}) => {
  const { id } = await makeExperiment(overrides);
  return ok('PUT', `experiments/${id}/start`);
};

/** The required properties of a full update of a holdout. */
export const holdoutSettings = {
  ...holdoutResource.example,
  description: '',
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  isGlobal: false,
  targetingGateID: null,
};

/** The required properties of a full update of an autotune. */
export const autotuneSettings = autotuneResource.example;

/** Creates and starts an autotune. */
export const makeStartedAutotune = async (overrides: Of<'autotunes'> = {}) => {
  const { id } = await makeAutotune(overrides);
  return ok('PUT', `autotunes/${id}/start`);
};

/** Creates one value of a new metric. */
export const makeValue = async (date = '2026-01-01') => {
  const value = { metricName: unique('Metric'), metricType: 'sum', unitType: 'userID', value: 1 };
  await ok('POST', 'metrics/values', { date, values: [value] });
  return { ...value, id: value.metricName };
};

export const makeEvent = async (overrides: Partial<Event> = {}) => {
  const event = { name: unique('Event'), ...overrides };
  await ok('POST', 'events', { events: [event] });
  return { ...event, id: event.name };
};

/** Returns a phase of one hour that passes everyone; its ID is its name in lower case. */
export const phase = (name: string, overrides: Partial<Phase> = {}) => ({
  id: name.toLowerCase(),
  name,
  timeIntervalMs: 3_600_000,
  rules: [{ name, conditions: [{ type: 'public' }] }],
  ...overrides,
});

/** Creates a pipeline and a gate, and returns the body of a release. */
export async function toRelease(phases = [phase('Canary'), phase('All')]) {
  const { id: releasePipelineID } = await makePipeline({ phases });
  const { id: gateID } = await makeGate();
  return { releasePipelineID, gateID };
}

/** Starts the release of a new gate. */
export const makeTrigger = async (overrides: Of<'release_pipeline_triggers'> = {}) =>
  ok('POST', 'release_pipeline_triggers', { ...(await toRelease()), ...overrides });

export const makeConnection = async (overrides: z.input<typeof connectionPatch> = {}) => {
  const bigquery = { project: unique('project') };
  await ok('PATCH', 'wh_connections', { bigquery, ...overrides });
  return { id: 'connection' };
};

export const makeIngestionSource = (overrides: Of<'ingestion'> = {}) =>
  ok('POST', 'ingestion', {
    dataset: 'Metrics',
    type: 's3',
    source_name: unique('source'),
    ...overrides,
  });

/** A rule that passes everyone. */
export const everyone = { name: 'Everyone', passPercentage: 100, conditions: [{ type: 'public' }] };

/** Returns a rule that passes if another gate passes. */
export const passing = (gateID: string) => ({
  name: `Passes ${gateID}`,
  passPercentage: 100,
  conditions: [{ type: 'passes_gate', targetValue: gateID }],
});

/** Creates an experiment with the groups `control` and `test`, and moves it to a status. */
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

const makeUser = (overrides: Of<'users'> = {}) =>
  ok('POST', 'users', { email: uniqueEmail(), ...overrides });

/** Stores a delivery of a new change to a webhook, without sending it. */
async function addDelivery(id: string): Promise<void> {
  await ok('POST', 'tags', { name: unique('tag') });
  await env.DB.prepare(
    `insert into webhook_deliveries (id, webhookID, seq, status, attempts, createdTime, nth)
     select 'msg_' || seq || '_' || ?1, ?1, seq, 'delivered', 1, time,
       (select count(*) + 1 from webhook_deliveries where webhookID = ?1) from revisions order by seq desc limit 1`,
  )
    .bind(id)
    .run();
}

/** Creates a webhook with one delivery. */
export async function makeDelivery() {
  const { id } = await makeWebhook({ isActive: false });
  await addDelivery(id);
  const [delivery] = await ok('GET', `webhooks/${id}/deliveries`);
  return { id, deliveryID: delivery.id };
}

/** Changes the company, which exists once. */
export const makeCompany = () => ok('PATCH', 'company', { name: unique('Company') });

/** Replaces the preview environment by one with a unique name. */
export const makeEnvironments = async () => {
  const { environments: existing }: { environments: { name: string }[] } = await ok(
    'GET',
    'environments',
  );
  const kept = existing.map(({ name }) => name).filter((name) => !name.startsWith('preview'));
  const environments = [...kept, unique('preview')].map((name) => ({ name }));
  await ok('POST', 'environments', { environments });
  return { id: 'environments' };
};

/** The requirements of a successful call, apart from the documented example. */
export interface Fixture {
  id?: string;
  deliveryID?: string;
  body?: unknown;
  query?: string;
  /** Adds an entry to the list that the operation returns. */
  populate?: () => Promise<unknown>;
}

/** Factories of entities below a path that need more than the example of their resource; the first match wins. */
const makers: [string, () => Promise<{ id: string }>][] = [
  ['/metrics/values', () => makeValue()],
  ['/events', makeEvent],
  ['/release_pipeline_triggers', makeTrigger],
  ['/users', makeUser],
  ['/company', makeCompany],
  ['/environments', makeEnvironments],
  // Inactive, so that no delivery changes the database in the meantime.
  ['/webhooks', () => makeWebhook({ isActive: false })],
  ['/export', makeGate],
  ['/import', makeGate],
  ['/wh_connections', makeConnection],
  ['/ingestion', makeIngestionSource],
  ['/audit_logs', makeGate],
];

/** Returns the factory of the entities below a path. */
function factoryOf(path: string) {
  const special = makers.find(([prefix]) => path.startsWith(prefix))?.[1];
  const resource = registry.find((each) => `${path}/`.startsWith(`/${each.path}/`));
  if (special) return special;
  if (!resource) throw new Error(`no factory for ${path}`);
  return () => makeExample(resource);
}

/** Functions that add an entry to the list at a path. */
const lists: Record<string, (id: string) => Promise<unknown>> = {
  '/gates/:id/gate_references': (id) => makeGate({ rules: [passing(id)] }),
  '/wh_connections/:id/versions': () => makeConnection(),
  '/company/:id/versions': () => makeCompany(),
  '/environments/:id/versions': () => makeEnvironments(),
  '/gates/:id/experiment_references': (id) => makeExperiment({ targetingGateID: id }),
  '/layers/:id/experiments': (id) => makeExperiment({ layerID: id }),
  '/gates/:id/dynamic_config_references': (id) => makeDynamicConfig({ rules: [passing(id)] }),
};

/** Creates an experiment with results of one metric, of the day before and the present one. */
export async function makeLoadedExperiment(overrides: Of<'experiments'> = {}) {
  const metric = await makeMetric();
  const { id } = await makeExperiment({
    primaryMetrics: [{ name: metric.name, type: metric.type }],
    preComputedUserDimensions: [{ name: 'country' }],
    groups: ['control', 'test'].map((name) => ({ name, id: name, size: 50 })),
    ...overrides,
  });
  const start = Date.now() - 86_400_000;
  await ok('PUT', `experiments/${id}/start`, { startTime: start });
  const exposures = Array.from({ length: 20 }, (_, index) => ({
    ...{ kind: 'experiment', id, unitType: 'userID', unit: `u-${index}`, time: start },
    group: index % 2 === 0 ? 'control' : 'test',
    attributes: { country: 'NZ' },
  }));
  await ok('POST', 'exposures', { exposures });
  const events = Array.from({ length: 10 }, (_, index) => ({
    ...{ name: 'purchase', userID: `u-${index}`, timestamp: start + 1000 },
  }));
  await ok('POST', 'events', { events });
  await ok('POST', `experiments/${id}/load_pulse`, {});
  const query = new URLSearchParams({ control: 'control', test: 'test' });
  return { id, metricID: String(metric.id), query: `?${query}` };
}

/** Returns the requirements of a read of the results of one metric. */
async function ofOneMetric(): Promise<Fixture> {
  const { id, metricID, query } = await makeLoadedExperiment();
  return { id, query: `${query}&metricID=${encodeURIComponent(metricID)}` };
}

/** Creates a gate with a rule whose lift is measured. */
const makeMeasuredGate = () =>
  makeGate({
    measureMetricLifts: true,
    rules: [{ ...everyone, id: 'r1', passPercentage: 50 }],
  });

/** Operations that require more than an entity and the documented example. */
const special: Record<string, () => Promise<Fixture>> = {
  'POST /changes': async () => {
    const { id } = await makeGate();
    const change = { method: 'PATCH', path: `${base}/gates/${id}`, body: { tags: ['a'] } };
    return { body: { changes: [{ ...change, ifMatch: '"1"' }] } };
  },
  'POST /exposures': async () => {
    const { id, groups } = await makeStartedExperiment();
    const exposure = { kind: 'experiment', id, group: groups[0].name, unitType: 'userID' };
    return { body: { exposures: [{ ...exposure, unit: 'u-1', time: 1000 }] } };
  },
  'POST /evaluate': async () => {
    const { id } = await makeGate();
    return { body: { user: { userID: 'u-1' }, kind: 'gate', id } };
  },
  'POST /metrics/unit_values': async () => {
    const { name: metricName, type: metricType } = await makeMetric();
    const value = { metricName, metricType, unitType: 'userID', unitID: 'u-1', value: 12.5 };
    return { body: { date: '2026-01-01', values: [value] } };
  },
  'DELETE /ingestion': async () => {
    const { source_name } = await makeIngestionSource();
    const query = new URLSearchParams({ dataset: 'Metrics', type: 's3', source_name });
    return { query: `?${query}` };
  },
  'DELETE /metrics/values': async () => {
    const { metricName, metricType } = await makeValue();
    return { query: `?${new URLSearchParams({ date: '2026-01-01', metricName, metricType })}` };
  },
  'GET /metrics/values': async () => {
    await makeValue();
    return { query: '?date=2026-01-01', populate: () => makeValue() };
  },
  'PATCH /gates/:id/rules/:ruleID': () => makeGate({ rules: [{ ...everyone, id: 'r1' }] }),
  'DELETE /gates/:id/rules/:ruleID': () => makeGate({ rules: [{ ...everyone, id: 'r1' }] }),
  'PATCH /dynamic_configs/:id/rules/:ruleID': () =>
    makeDynamicConfig({ rules: [{ ...everyone, id: 'r1' }] }),
  'DELETE /dynamic_configs/:id/rules/:ruleID': () =>
    makeDynamicConfig({ rules: [{ ...everyone, id: 'r1' }] }),
  'PUT /gates/:id/unarchive': async () => {
    const gate = await makeGate();
    await ok('PUT', `gates/${gate.id}/archive`);
    return gate;
  },
  'PUT /dynamic_configs/:id/unarchive': async () => {
    const config = await makeDynamicConfig();
    return ok('PUT', `dynamic_configs/${config.id}/archive`);
  },
  'GET /experiments/pulse_summaries': async () => {
    const { id } = await makeLoadedExperiment();
    return { query: `?ids=${id}` };
  },
  'GET /exposure_count': async () => ({ query: `?experiments=${(await makeExperiment()).id}` }),
  'GET /reports': async () => ({ query: '?type=pulse_daily&date=2026-01-02' }),
  'GET /reports/:type': async () => {
    await makeLoadedExperiment();
    const query = `?date=${new Date().toISOString().slice(0, 10)}`;
    return { id: 'pulse_daily', query };
  },
  'GET /experiments/:id/exposures': async () => ({ id: (await makeLoadedExperiment()).id }),
  'GET /gate_checks': async () => ({}),
  'GET /autotunes/:id/results': () => makeStartedAutotune(),
  'GET /experiments/:id/pulse_results': () => makeLoadedExperiment(),
  'GET /experiments/:id/pulse_metric_result': ofOneMetric,
  'GET /experiments/:id/pulse_series': ofOneMetric,
  'GET /experiments/:id/pulse_sparks': () => makeLoadedExperiment(),
  'GET /experiments/:id/cumulative_exposures': async () => ({
    id: (await makeLoadedExperiment()).id,
  }),
  'GET /experiments/:id/health': async () => ({ id: (await makeLoadedExperiment()).id }),
  'GET /experiments/:id/pulse_load_history': async () => {
    const { id } = await makeStartedExperiment();
    const populate = () => ok('POST', `experiments/${id}/load_pulse`, {});
    return { id, populate };
  },
  'POST /experiments/:id/load_pulse': () => makeStartedExperiment(),
  'POST /gates/:id/load_pulse': makeMeasuredGate,
  'GET /gates/:id/rules/:ruleID/pulse_results': makeMeasuredGate,
  'POST /power_analysis': async () => {
    const { id, metricID } = await makeLoadedExperiment();
    return { body: { baselineExperimentID: id, metricID, unitsPerDay: 1000 } };
  },
  'GET /experiments/:id/baseline': async () => {
    const [{ id }, metric] = await Promise.all([makeExperiment(), makeMetric()]);
    return { id, query: `?metricID=${encodeURIComponent(metric.id)}` };
  },
  'PUT /experiments/:id/stop': () => makeExperimentIn('active'),
  'PUT /experiments/:id/abandon': () => makeExperimentIn('active'),
  'PUT /experiments/:id/stop_assignment': () => makeExperimentIn('active'),
  'PUT /experiments/:id/make_decision': () => makeExperimentIn('active'),
  'PUT /experiments/:id/reset': () => makeExperimentIn('active'),
  'PUT /experiments/:id/unarchive': () => makeExperimentIn('archived'),
  'POST /release_pipeline_triggers': async () => ({ body: await toRelease() }),
  'PUT /release_pipeline_triggers/:id/unpause': async () => {
    const { id } = await makeTrigger();
    return ok('PUT', `release_pipeline_triggers/${id}/pause`, { phaseID: 'canary' });
  },
  'DELETE /release_pipeline_triggers/:id': async () =>
    makeTrigger(await toRelease([phase('At once', { timeIntervalMs: 0 })])),
  'PUT /release_pipeline_triggers/:id/approve': async () =>
    makeTrigger(await toRelease([phase('Canary', { requiredReview: true })])),
  'PUT /segments/:id/unarchive': async () => {
    const { id } = await makeSegment();
    return ok('PUT', `segments/${id}/archive`);
  },
  'PUT /experiments/:id/enable_groups': async () => {
    const { id } = await makeExperimentIn('active');
    return ok('PUT', `experiments/${id}/disable_groups`, { groupIDs: ['test'] });
  },
  'PUT /experiments/:id/disable_groups': () => makeExperimentIn('active'),
  'GET /events/:name': async () => {
    const { name } = await makeEvent();
    return { id: name, populate: () => makeEvent({ name }) };
  },
  'GET /segments/:id/id_list': () => makeSegment({ type: 'id_list' }),
  'PATCH /segments/:id/id_list': () => makeSegment({ type: 'id_list' }),
  'GET /webhooks/:id/deliveries': async () => {
    const { id } = await makeDelivery();
    return { id, populate: () => addDelivery(id) };
  },
  'POST /webhooks': async () => ({
    body: { name: unique('Webhook'), url: 'https://hooks.shop.example/', isActive: false },
  }),
  'PUT /webhooks/:id/deliveries/:deliveryID/resend': () => makeDelivery(),
  'PUT /autotunes/:id/make_decision': () => makeStartedAutotune(),
  'PUT /autotunes/:id/reset': () => makeStartedAutotune(),
  'POST /experiments/:id/overrides': () => withEmployees(),
  'PATCH /experiments/:id/overrides': () => withEmployees(),
  'DELETE /experiments/:id/overrides': () => withEmployees(),
  'POST /layers/:id/overrides': () => withExperiment(),
  'PATCH /layers/:id/overrides': () => withExperiment(),
};

/** Creates a layer and the body of overrides for an experiment on it. */
async function withExperiment(): Promise<Fixture> {
  const { id } = await makeLayer();
  const experiment = await makeExperiment({ layerID: id });
  const target = { experimentName: experiment.id, groupName: 'Test', idType: 'userID' };
  return { id, body: { idOverrides: [{ ...target, ids: ['u-1', 'u-2'] }] } };
}

async function withEmployees(): Promise<Fixture> {
  await call('POST', 'gates', { body: { name: 'Employees', id: 'employees' } }); // it may exist already
  return makeExperimentIn('setup');
}

/** Creates the entities for one successful call of an operation. */
export async function fixtures({ method, path }: Route): Promise<Fixture> {
  const short = path.slice(base.length);
  const prepare = special[`${method} ${short}`];
  if (prepare) {
    const { id, deliveryID, body, query, populate } = await prepare();
    return { id, deliveryID, body, query, populate };
  }
  const make = factoryOf(short);
  if (method === 'POST' && !short.includes(':')) return {};
  const { id } = await make();
  const populate = short.endsWith('/versions')
    ? () => change(short.replace('/:id/versions', '').slice(1), id)
    : make;
  const list = lists[short];
  return { id, populate: list ? () => list(id) : populate };
}

/** Creates another version of an entity: deletes or restores it. A key cannot be restored, so it is renamed. */
async function change(path: string, id: string): Promise<void> {
  const entity = `${path}/${encodeURIComponent(id)}`;
  if (path === 'keys') return ok('PATCH', entity, { name: unique('Renamed') });
  const { status } = await call('DELETE', entity);
  if (status === 404) await ok('PUT', `${entity}/versions/1/restore`);
}

/** Returns the operation that creates the data which this one removes. */
const opposite = (route: Route): Route =>
  route.method === 'DELETE' && route.path.endsWith('/overrides')
    ? { ...route, method: 'POST' }
    : route;

const uniqueEmail = () => `${unique('ada').replace(' ', '-')}@shop.example`;

/** Returns an example with a unique name, so that it creates a new entity. */
function renamed(example: Record<string, unknown>): Record<string, unknown> {
  const names = ['name', 'source_name'].filter((property) => property in example);
  const fresh = names.map((property) => [property, unique('Example')]);
  const address = 'email' in example && { email: uniqueEmail() };
  return { ...example, ...Object.fromEntries(fresh), ...address };
}

/** Returns the path of an operation with its parameters filled in. */
export const pathOf = (path: string, id: string, deliveryID = 'none'): string =>
  path
    .replace(/:(id|name|type)\b/, encodeURIComponent(id))
    .replace(':version', '1')
    .replace(':deliveryID', deliveryID)
    .replace(':ruleID', 'r1');

/** Returns a call that succeeds; a change has an effect. */
export async function prepareCall(route: Route): Promise<{ path: string; body: unknown }> {
  const { path, parts } = route;
  const first = opposite(route);
  const { id = '', deliveryID = '', query = '', body, populate } = await fixtures(first);
  const schema = parts.find(({ target }) => target === 'json')?.schema;
  const example = schema && exampleOf(schema);
  const content = body ?? (isObject(example) ? renamed(example) : example);
  const full = pathOf(path, id, deliveryID);
  if (first !== route) await ok(first.method, full, content);
  if (path.endsWith('/enable')) await ok('PUT', full.replace(/enable$/, 'disable'));
  if (path.endsWith('/restore')) {
    await populate?.(); // a second version of an entity that cannot be deleted
    const entity = full.replace(/\/versions.*/, '');
    if (entity.includes('/keys/')) await ok('PATCH', entity, { name: unique('Renamed') });
    else await call('DELETE', entity);
  }
  return { path: `${full}${query}`, body: content };
}
