import type { Entity } from './types.ts';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });
const toMinutes = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const byDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const plain = new Intl.NumberFormat('en', { maximumFractionDigits: 4 });

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** "3 hours ago", "in 2 days". */
export function ago(time: number, now = Date.now()): string {
  const seconds = (time - now) / 1000;
  const unit = units.find(([, size]) => Math.abs(seconds) >= size);
  if (!unit) return 'just now';
  return relative.format(Math.round(seconds / unit[1]), unit[0]);
}

export const exactly = (time: number) => exact.format(time);
/** A moment within a sentence. */
export const moment = (time: number) => toMinutes.format(time);
export const dayOf = (time: number) => byDay.format(time);
export const number = (value: number) => plain.format(value);
export const percent = (value: number) => `${plain.format(value)} %`;

/** `2 changes`, `1 change`. */
export const count = (size: number, one: string, many = `${one}s`) =>
  `${number(size)} ${size === 1 ? one : many}`;

/** What it is called: experiments, read alone, have no name. */
export const titleOf = ({ id, name, displayName }: Pick<Entity, 'id' | 'name' | 'displayName'>) =>
  displayName || name || id;

/** Names of properties that their own words do not make. */
const properties: Record<string, string> = {
  idType: 'ID type',
  isActive: 'Active',
  isEnabled: 'On',
  isGlobal: 'For all new gates',
  inlineTargetingRulesJSON: 'Targeting rules',
  targetingGateID: 'Targeting gate',
  layerID: 'Layer',
  teamID: 'Team ID',
  controlGroupID: 'Control group',
  launchedGroupID: 'Launched group',
  defaultConfidenceInterval: 'Confidence',
  defaultValueJson5: 'Default value (JSON5)',
  schemaJson5: 'Schema (JSON5)',
  ids: 'IDs',
  bigquery: 'BigQuery',
  gateIDs: 'Gates',
  experimentIDs: 'Experiments',
  layerIDs: 'Layers',
  dynamicConfigIDs: 'Dynamic configs',
  promptIDs: 'Prompts',
  targetAppIDs: 'Target apps',
  expiresTime: 'Expires',
  hash: 'The key itself',
};

/** `monitoringMetrics` → "Monitoring metrics". */
export function nameOf(property: string): string {
  const own = properties[property];
  if (own) return own;
  const words = property
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/ ([A-Z])(?=[a-z]| |$)/g, (_, letter: string) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What one of a list is called. */
const items: Record<string, string> = {
  rules: 'rule',
  conditions: 'condition',
  groups: 'group',
  variants: 'variant',
  parameters: 'parameter',
  phases: 'phase',
  changes: 'change',
};

/** A sentence's beginning within a sentence; what is all capitals stays. */
export const lower = (text: string) =>
  text.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

/** A step of a place in words; one that has been counted is words already. */
const wordOf = (step: string) => {
  if (step.includes(' ')) return step;
  return step === 'targetValue' ? 'value' : lower(nameOf(step));
};

/** A place in a body as people count: `rules.0.conditions.1.targetValue` → "Rule 1, condition 2, value". */
export function placeOf(property: string): string {
  const steps: string[] = [];
  for (const step of property.split('.')) {
    const list = steps.at(-1);
    if (list === undefined || !/^\d+$/.test(step)) steps.push(step);
    else steps.splice(-1, 1, `${items[list] ?? wordOf(list)} ${Number(step) + 1}`);
  }
  const text = steps.map(wordOf).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Where the page has a kind, by its name in history. */
const paths: Record<string, string> = {
  gate: 'gates',
  dynamic_config: 'dynamic_configs',
  experiment: 'experiments',
  layer: 'layers',
  holdout: 'holdouts',
  segment: 'segments',
  autotune: 'autotunes',
  prompt: 'prompts',
  param_store: 'param_stores',
  metric: 'metrics',
  release_pipeline: 'release_pipelines',
  release_pipeline_trigger: 'releases',
  key: 'keys',
  assignment_source: 'assignment_sources',
  tag: 'tags',
  unit_id_type: 'unit_id_types',
  target_app: 'target_apps',
  team: 'teams',
  user: 'users',
  webhook: 'webhooks',
};

/** Where there is just one page for all of a kind. */
const single: Record<string, string> = {
  wh_connection: '/connections',
  ingestion_source: '/connections',
  environments: '/environments',

  company: '/company',
};

/** The page of an entity; that of its kind alone for a kind without pages. */
export const addressOf = (kind: string, id: string) => {
  const path = paths[kind];
  if (single[kind]) return single[kind];
  return path
    ? `/${path}/${encodeURIComponent(id)}`
    : `/audit_logs?kind=${encodeURIComponent(kind)}`;
};

/** What a kind of history is called in a sentence. */
export const kindInWords = (kind: string) => {
  if (kind === 'key') return 'API key';
  if (kind === 'unit_id_type') return 'ID type';
  const words = kind.replace('wh_', 'warehouse ').replace('release_pipeline_trigger', 'release');
  return words.replaceAll('_', ' ');
};

/** The kinds of history, by the names that the API has for them. */
export const kindNames: Record<string, string> = Object.fromEntries(
  [...Object.keys(paths), ...Object.keys(single), 'events'].map((kind) => [
    kind,
    kindInWords(kind),
  ]),
);

const verbs: Record<string, string> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored an earlier version of',
  enable: 'enabled',
  disable: 'disabled',
  launch: 'launched',
  archive: 'archived',
  unarchive: 'brought back',
  start: 'started',
  schedule_start: 'set the start of',
  resend: 'sent again for',
  stop: 'stopped',
  stop_assignment: 'closed to new units',
  make_decision: 'decided',
  abandon: 'abandoned',
  reset: 'reset',
  rotate: 'rotated',
  deactivate: 'deactivated',
  update_id_list: 'changed the ids of',
  replace_overrides: 'set the overrides of',
  add_overrides: 'added overrides to',
  import: 'imported rows into',
  rename: 'renamed',
  remove_overrides: 'removed overrides of',
  pause: 'paused',
  unpause: 'resumed',
  skip: 'skipped a phase of',
  approve: 'approved',
  rollout: 'rolled out',
  abort: 'aborted',
};

export const actionInWords = (action: string) => verbs[action] ?? action.replaceAll('_', ' ');

/** The actions of history, by the names that the API has for them. */
export const actionNames: Record<string, string> = verbs;
