// The sample project, a small shop, as API calls: [method, path below /console/v1, body].
import { configs, paramStores, prompts } from './configs.js';
import { autotunes, checkoutOverrides, experiments, holdouts, layers } from './experiments.js';
import { betaTesters, gates, segments } from './gates.js';
import { events, imports, metrics } from './metrics.js';
import { pipelines, release } from './releases.js';
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

/**
 * All calls of the sample project, referenced entities first.
 * @type {Call[]}
 */
export const sample = [
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
  ['PUT', 'experiments/free_delivery_from/start'],
  ['PUT', 'experiments/search_ranking/start'],
  ['PUT', 'experiments/search_ranking/stop_assignment'],
  ['PUT', 'experiments/review_reminder/start'],
  [
    'PUT',
    'experiments/review_reminder/make_decision',
    { id: 'group_1', decisionReason: 'A tenth more reviews, of better quality.' },
  ],
  ['PUT', 'experiments/product_photos/start'],
  ['PUT', 'experiments/product_photos/stop', { decisionReason: 'The photos loaded too slowly.' }],
  ['PUT', 'experiments/newsletter_day/start'],
  ['PUT', 'experiments/newsletter_day/abandon', { decisionReason: 'The sender was blocked.' }],

  ...create('autotunes', autotunes),
  ['PUT', 'autotunes/welcome_picture/start'],

  ...create('dynamic_configs', configs),
  ...create('prompts', prompts),
  ...create('param_stores', paramStores),

  ...create('holdouts', holdouts),
];
