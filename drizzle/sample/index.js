// The sample project, a small shop, as API calls: [method, path below /console/v1, body].
import { configs, paramStores, prompts } from './configs.js';
import { autotunes, checkoutOverrides, experiments, holdouts, layers } from './experiments.js';
import { betaTesters, gates, segments } from './gates.js';
import { events, imports, metrics } from './metrics.js';
import { pipelines, release } from './releases.js';
import { runs } from './runs.js';
import { day, visitsBefore } from './visits.js';
import { assignmentSource, connections, ingestion } from './warehouse.js';

/** @typedef {[method: string, path: string, body?: unknown]} Call */

/**
 * Returns the calls that create the entities of a table.
 * @param {string} path
 * @param {import('./rules.js').Entity[]} table
 * @returns {Call[]}
 */
const create = (path, table) =>
  table.map(([id, name, rest]) => ['POST', path, { id, name, ...rest }]);

/**
 * Returns the calls that send bodies to one path.
 * @param {string} path
 * @param {object[]} bodies
 * @returns {Call[]}
 */
const post = (path, bodies) => bodies.map((body) => ['POST', path, body]);

/** The rows of one import, at most. */
const rowsPerCall = 1000;

/**
 * Returns the calls that import rows.
 * @param {'events' | 'exposures'} path
 * @param {object[]} rows
 * @returns {Call[]}
 */
const importRows = (path, rows) =>
  Array.from({ length: Math.ceil(rows.length / rowsPerCall) }, (_, call) => [
    'POST',
    path,
    { [path]: rows.slice(call * rowsPerCall, (call + 1) * rowsPerCall) },
  ]);

/** @param {number} now */
const midnightBefore = (now) => now - (now % day);

/**
 * Returns the call that starts an experiment or autotune.
 * @param {import('./runs.js').SampleRun} run
 * @param {number} midnight
 * @returns {Call}
 */
const start = ({ kind, id, daysAgo }, midnight) => [
  'PUT',
  `${kind}s/${id}/start`,
  { startTime: midnight - daysAgo * day },
];

/**
 * Returns the calls that create the sample project.
 * @param {number} now in epoch milliseconds; what is under way began some days before
 * @param {Pick<ReturnType<typeof visitsBefore>, 'events' | 'exposures'>} [visits]
 * @returns {Call[]}
 */
export function sampleAt(now, visits = visitsBefore(midnightBefore(now))) {
  return [
    ...importRows('events', visits.events),
    ...measured,
    ...runs.map((run) => start(run, midnightBefore(now))),
    ...importRows('exposures', visits.exposures),
    ...others,
  ];
}

/**
 * Returns the calls that create the sample project without what shoppers did.
 * @param {number} now in epoch milliseconds
 */
export const projectAt = (now) => sampleAt(now, { events: [], exposures: [] });

/**
 * What experiments need, and the experiments.
 * @type {Call[]}
 */
const measured = [
  ['POST', 'keys', { name: 'Dashboard in the office', scopes: ['read'] }],
  ['POST', 'users', { email: 'ada@shop.example', name: 'Ada', role: 'admin' }],
  [
    'POST',
    'webhooks',
    {
      name: 'Chat of the team',
      url: 'https://hooks.shop.example/',
      kinds: ['gate'],
      isActive: false,
    },
  ],

  ...post('metrics', metrics),
  ...post('metrics/values', imports),
  ['POST', 'events', { events }],

  ['PATCH', 'wh_connections', connections],
  ['POST', 'ingestion', ingestion],

  ...create('segments', segments),
  ['PATCH', 'segments/beta_testers/id_list', { add: betaTesters }],

  ...create('gates', gates),
  ['PUT', 'gates/express_delivery/launch'],
  ['PUT', 'gates/old_recommendations/disable'],
  ['PUT', 'gates/summer_banner/archive', { archiveReason: 'The sale of last year is over.' }],
  ['POST', 'gates/one_page_checkout/overrides', { passingUserIDs: ['tester-1', 'tester-2'] }],

  ...create('release_pipelines', pipelines),
  ['POST', 'release_pipeline_triggers', release],

  ...create('layers', layers),
  ['POST', 'experiments/assignment_sources', assignmentSource],
  ...create('experiments', experiments),
  ['POST', 'layers/cart_and_checkout/overrides', checkoutOverrides],
  ['PUT', 'experiments/wish_list/start'],
  ['PUT', 'experiments/product_photos/start'],
  ['PUT', 'experiments/product_photos/stop', { decisionReason: 'The photos loaded too slowly.' }],
  ['PUT', 'experiments/newsletter_day/start'],
  ['PUT', 'experiments/newsletter_day/abandon', { decisionReason: 'The sender was blocked.' }],

  ...create('autotunes', autotunes),
];

/** @type {Call[]} */
const others = [
  ...create('dynamic_configs', configs),
  ...create('prompts', prompts),
  ...create('param_stores', paramStores),

  ...create('holdouts', holdouts),

  ['PUT', 'experiments/search_ranking/stop_assignment'],
  [
    'PUT',
    'experiments/review_reminder/make_decision',
    { id: 'group_1', decisionReason: 'Half as many reviews again, of better quality.' },
  ],
];
