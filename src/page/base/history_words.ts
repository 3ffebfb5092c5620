import { type ActionName, rowKinds } from '../../base/log_names.ts';
import { stepFor } from './location.ts';

/** Where the entities of a resource have their pages. */
interface PagePath {
  path: string;
  isSingle?: boolean;
}

/** How the history names a resource and finds its pages. */
interface NamedPages extends PagePath {
  kind: string;
  one: string;
  inHistory?: string;
}

const pages = new Map<string, NamedPages>();

/** Makes the pages of resources known to the history. */
export const addPages = (kinds: readonly NamedPages[]) => {
  for (const page of kinds) pages.set(page.kind, page);
};

const shared: Record<string, string> = {
  wh_connection: '/connections',
  ingestion_source: '/connections',
  events: '/events',
};

/** Returns the address of an entity's page. */
export const pageOf = ({ path, isSingle }: PagePath, id: string) =>
  isSingle ? `/${path}` : `/${path}/${stepFor(id)}`;

/** Returns the page of an entity; the filtered audit log if it has none. */
export const addressOf = (kind: string, id: string) => {
  const page = pages.get(kind);
  return page ? pageOf(page, id) : (shared[kind] ?? `/audit_logs?kind=${encodeURIComponent(kind)}`);
};

/** Returns the name of a resource within a sentence. */
export const kindInWords = (kind: string) => {
  const { one, inHistory = one } = pages.get(kind) ?? {};
  return inHistory ?? kind.replace('wh_', 'warehouse ').replaceAll('_', ' ');
};

/** Returns the resources in the audit log, by API name. */
export const kindNames = (): Record<string, string> =>
  Object.fromEntries(
    [...pages.keys(), ...Object.keys(shared), ...rowKinds].map((kind) => [kind, kindInWords(kind)]),
  );

export const actionNames: Record<string, string> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  restore: 'restored an earlier version of',
  enable: 'enabled',
  disable: 'disabled',
  launch: 'launched',
  archive: 'archived',
  unarchive: 'unarchived',
  start: 'started',
  schedule_start: 'scheduled',
  resend: 'resent a delivery of',
  load: 'loaded',
  stop: 'stopped',
  stop_assignment: 'stopped assignment of',
  make_decision: 'decided',
  abandon: 'abandoned',
  reset: 'reset',
  rotate: 'rotated',
  deactivate: 'deactivated',
  update_id_list: 'edited the ID list of',
  replace_overrides: 'set the overrides of',
  add_overrides: 'added overrides to',
  import: 'imported',
  rename: 'renamed',
  remove_overrides: 'removed overrides from',
  pause: 'paused',
  unpause: 'resumed',
  skip: 'skipped a phase of',
  approve: 'approved',
  rollout: 'rolled out',
  abort: 'aborted',
  release: 'applied a release phase to',
  advance: 'started the next phase of',
  enable_groups: 'enabled groups of',
  disable_groups: 'disabled groups of',
  add_rule: 'added a rule to',
  update_rule: 'changed a rule of',
  delete_rule: 'deleted a rule of',
  update_holdouts: 'changed the holdouts of',
  add_gate: 'added a gate to',
  add_experiment: 'added an experiment to',
  rename_tag: 'renamed a tag of',
  rename_unit_id_type: 'renamed the ID type of',
  rename_target_app: 'renamed a target app of',
  rename_team: 'renamed the team of',
  rename_environment: 'renamed an environment of',
  rename_user: 'renamed the owner of',
} satisfies Record<ActionName, string>;

/** Returns the verb of an action. */
export const actionInWords = (action: string) => actionNames[action] ?? action;
