import { type Anchor, anchorKey, fieldOf, type Reference } from '../../shared/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Dependencies } from '../core/model.ts';

// A search walks from the `starts` to their dependents, and on to theirs, until it reaches a goal.
// (1) Gate A gets a rule that passes gate B, and B passes A. A is start and goal.
// (2) Holdout H, targeted by a gate that passes gate A, gets the member A. A (`listed`) is the start, H the goal.
// (3) A release of A has a later phase that names gate B, and B passes A. A is the start, B the goal.

/** Whether a reference can close a cycle. */
export function canClose({ properties, dependents, delegated }: Dependencies, to: Reference) {
  const field = fieldOf(to);
  return properties.has(field) || dependents.has(field) || field === delegated.property;
}

export interface Search {
  change: NetChange;
  goals: Anchor[];
  /** `listed` is the member in the change; `dependency` the first one of a start. */
  starts: (Anchor & { listed?: string; dependency?: string })[];
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

function delegating(
  { property, dependentsOf }: Dependencies['delegated'],
  before: Reference[],
  after: Reference[],
): Anchor[] {
  const delegated = (all: Reference[]) => all.filter((to) => fieldOf(to) === property);
  const [old, now] = [delegated(before), delegated(after)];
  return JSON.stringify(old) === JSON.stringify(now) ? [] : dependentsOf(now);
}

/** A later phase that depends on the target could not begin. An imported release began elsewhere, and pauses there. */
function releasing(change: NetChange, added: Reference[]): Search[] {
  const { targets, phases: phaseField } = change.kind.model.dependencies.releases;
  const starts = added
    .filter((to) => targets.has(fieldOf(to)))
    .map(({ kind, id }) => ({ kind, id, dependency: 'release' }));
  const phases = added.filter((to) => fieldOf(to) === phaseField);
  if (starts.length === 0 || phases.length === 0 || change.action === 'import') return [];
  return [{ change, goals: phases.map(({ kind, id }) => ({ kind, id })), starts, added, phases }];
}

/** The entities that the changes create, as keys. Their dependents are changed too, and have searches of their own. */
const freshIn = (net: NetChange[]): ReadonlySet<string> =>
  new Set(
    net.filter(({ before }) => !before).map(({ kind, id }) => anchorKey({ kind: kind.kind, id })),
  );

/** Returns all searches of a batch, later changes first, so that the error names the change that closes the cycle. */
export function searches(net: NetChange[]): Search[] {
  const fresh = freshIn(net);
  return net.toReversed().flatMap((change) => searchesOf(change, fresh));
}
