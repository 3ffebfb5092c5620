import { distinct } from '../../shared/distinct.ts';
import { type Anchor, anchorKey, fieldOf, type Reference } from '../../shared/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';

// A search walks against the direction of dependencies: from the `starts` to their dependents, and on to theirs,
// until it reaches one of the `goals`. Examples: (1) Gate A gets a rule that passes gate B, and B passes A. A is
// start and goal; the rule of A that names B closes the cycle. (2) Holdout H, targeted by a gate B that passes gate
// A, gets the member A, so that A depends on H. A is the start, H the goal; `listed` A closes the cycle. (3) A
// release of gate A has a later phase that names a gate B, and B passes A. A is the start, B the goal.

/**
 * The properties through which the evaluation of one entity depends on another. An experiment depends on its layer's
 * holdouts; a metric is computed from others. See docs/contract/evaluation.md#57-always-true-of-a-spec.
 */
export const asking = new Set([
  'rules',
  'targetingGateID',
  'inlineTargetingRulesJSON',
  'overrides',
  'layerID',
  'metricComponentMetrics',
]);

/** The properties of a holdout that list the entities depending on it. */
const asked = new Set(['gateIDs', 'experimentIDs', 'layerIDs']);

/** The property of a layer on which its experiments depend. */
export const overriding = 'conditionalOverrides';

/** The properties of a release that name its target and the dependencies of its rules. */
const released = new Set(['gateID', 'dynamicConfigID']);
const phased = 'phases';

/** Whether a reference can close a cycle. */
export const canClose = (to: Reference): boolean =>
  asking.has(fieldOf(to)) || asked.has(fieldOf(to)) || fieldOf(to) === overriding;

/** A search for a cycle. */
export interface Search {
  change: NetChange;
  goals: Anchor[];
  /**
   * For a member, `listed` is the member that the change lists. `asks` is what a start depends on before the search
   * finds anything.
   */
  starts: (Anchor & { listed?: string; asks?: string })[];
  /** References that the change adds. */
  added: Reference[];
  /** The dependencies that a release will give its target, if those are searched. */
  phases?: Reference[];
}

function searchesOf(change: NetChange, fresh: ReadonlySet<string>): Search[] {
  const { kind, id, before, after } = change;
  const own = { kind: kind.kind, id };
  const named = (entity: typeof before) => (entity ? kind.refs.outgoing(entity) : []);
  const [old, now] = [named(before), named(after)];
  const known = new Set(old.map((to) => `${fieldOf(to)} ${anchorKey(to)}`));
  const added = now.filter((to) => !known.has(`${fieldOf(to)} ${anchorKey(to)}`));
  const through = (anchor: Anchor): Search => ({
    change,
    goals: [anchor],
    starts: [anchor],
    added,
  });
  const members = added
    .filter((to) => asked.has(fieldOf(to)) && !fresh.has(anchorKey(to)))
    .map((to) => ({ kind: to.kind, id: to.id, listed: anchorKey(to) }));
  return [
    // A reference to a part names its entity too.
    ...(added.some((to) => asking.has(fieldOf(to)) && !to.of) ? [through(own)] : []),
    ...(members.length > 0 ? [{ change, goals: [own], starts: members, added }] : []),
    ...overridden(old, now).map((of) => through({ kind: 'experiment', id: of })),
    ...releasing(change, added),
  ];
}

/** The experiments whose overrides in a layer changed. */
function overridden(before: Reference[], after: Reference[]): string[] {
  const overrides = (all: Reference[]) => all.filter((to) => fieldOf(to) === overriding);
  const [old, now] = [overrides(before), overrides(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const named = now.filter(({ kind }) => kind === 'experiment_on_the_layer');
  return distinct(named.map(({ id }) => id.slice(id.indexOf(':') + 1)));
}

/**
 * The target of a new release must not be a dependency of its later phases, which could then not begin. An imported
 * release began elsewhere, and pauses at the phase.
 */
function releasing(change: NetChange, added: Reference[]): Search[] {
  const starts = added
    .filter((to) => released.has(fieldOf(to)))
    .map(({ kind, id }) => ({ kind, id, asks: 'release' }));
  const phases = added.filter((to) => fieldOf(to) === phased);
  if (starts.length === 0 || phases.length === 0 || change.action === 'import') return [];
  return [{ change, goals: phases.map(({ kind, id }) => ({ kind, id })), starts, added, phases }];
}

/**
 * The entities that the changes create, as keys. Their dependents are changed too, and have searches of their own.
 */
const freshIn = (net: NetChange[]): ReadonlySet<string> =>
  new Set(
    net.filter(({ before }) => !before).map(({ kind, id }) => anchorKey({ kind: kind.kind, id })),
  );

/** Returns all searches of a batch, later changes first, so that the error names the change that closes the cycle. */
export function searches(net: NetChange[]): Search[] {
  const fresh = freshIn(net);
  return net.toReversed().flatMap((change) => searchesOf(change, fresh));
}
