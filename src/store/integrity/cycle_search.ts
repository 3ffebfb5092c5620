import { type Anchor, anchorKey, fieldOf, type Reference } from '../../shared/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Dependencies } from '../core/model.ts';

// A search walks against the direction of dependencies: from the `starts` to their dependents, and on to theirs,
// until it reaches one of the `goals`. Examples: (1) Gate A gets a rule that passes gate B, and B passes A. A is
// start and goal; the rule of A that names B closes the cycle. (2) Holdout H, targeted by a gate B that passes gate
// A, gets the member A, so that A depends on H. A is the start, H the goal; `listed` A closes the cycle. (3) A
// release of gate A has a later phase that names a gate B, and B passes A. A is the start, B the goal.

/** Whether a reference can close a cycle. */
export function canClose({ properties, dependents, delegated }: Dependencies, to: Reference) {
  const field = fieldOf(to);
  return properties.has(field) || dependents.has(field) || field === delegated.property;
}

/** A search for a cycle. */
export interface Search {
  change: NetChange;
  goals: Anchor[];
  /**
   * For a member, `listed` is the member that the change lists. `dependency` is the first dependency of a start,
   * before the search finds any.
   */
  starts: (Anchor & { listed?: string; dependency?: string })[];
  /** References that the change adds. */
  added: Reference[];
  /** The dependencies that a release will give its target, if those are searched. */
  phases?: Reference[];
}

function searchesOf(change: NetChange, fresh: ReadonlySet<string>): Search[] {
  const { kind, id, before, after } = change;
  const { properties, dependents, delegated } = kind.model.dependencies;
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
    .filter((to) => dependents.has(fieldOf(to)) && !fresh.has(anchorKey(to)))
    .map((to) => ({ kind: to.kind, id: to.id, listed: anchorKey(to) }));
  return [
    // A reference to a part names its entity too.
    ...(added.some((to) => properties.has(fieldOf(to)) && !to.of) ? [through(own)] : []),
    ...(members.length > 0 ? [{ change, goals: [own], starts: members, added }] : []),
    ...delegating(delegated, old, now).map(through),
    ...releasing(change, added),
  ];
}

/** The entities that depend on the references of another one, if those changed. */
function delegating(
  { property, dependentsOf }: Dependencies['delegated'],
  before: Reference[],
  after: Reference[],
): Anchor[] {
  const delegated = (all: Reference[]) => all.filter((to) => fieldOf(to) === property);
  const [old, now] = [delegated(before), delegated(after)];
  return JSON.stringify(old) === JSON.stringify(now) ? [] : dependentsOf(now);
}

/**
 * The target of a new release must not be a dependency of its later phases, which could then not begin. An imported
 * release began elsewhere, and pauses at the phase.
 */
function releasing(change: NetChange, added: Reference[]): Search[] {
  const { targets, phases: phaseField } = change.kind.model.dependencies.releases;
  const starts = added
    .filter((to) => targets.has(fieldOf(to)))
    .map(({ kind, id }) => ({ kind, id, dependency: 'release' }));
  const phases = added.filter((to) => fieldOf(to) === phaseField);
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
