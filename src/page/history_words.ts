// What history calls kinds and actions, in words, and where the page has them.

import { stepFor } from './location.ts';

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
  return path ? `/${path}/${stepFor(id)}` : `/audit_logs?kind=${encodeURIComponent(kind)}`;
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

/** What somebody did, before what it was done to. */
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

/** What an action of history is called in a sentence. */
export const actionInWords = (action: string) => verbs[action] ?? action.replaceAll('_', ' ');

/** The actions of history, by the names that the API has for them. */
export const actionNames: Record<string, string> = verbs;
