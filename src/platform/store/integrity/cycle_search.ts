import { type Anchor, anchorKey, fieldOfReference, type Reference } from '../../../base/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';
import type { Dependencies } from '../core/model.ts';

// A search walks from the `starts` to their dependents, and on to theirs, until it reaches a goal.
// (1) Gate A gets a rule that requires gate B, and B requires A. A is start and goal.
// (2) Gate A becomes a member of holdout H, and H's targeting gate requires A. A (`listed`) is the start, H the goal.
// (3) A release targets A, one of its phases names gate B, and B depends on A. A is the start, B the goal.

/** Whether a reference can close a cycle. */
export function canClose({ properties, dependents, delegated }: Dependencies, to: Reference) {
  const field = fieldOfReference(to);
  return properties.has(field) || dependents.has(field) || field === delegated.property;
}

export interface Search {
  change: NetChange;
  goals: Anchor[];
  /** `listed` is the member in the change. `isGoalAtOnce`: whether the start itself may be the goal. */
  starts: (Anchor & { listed?: string; isGoalAtOnce?: boolean })[];
  /** The references that the change adds. `phases`: those of the phases of a release, only in case (3). */
  added: Reference[];
  phases?: Reference[];
}

function searchesOf(change: NetChange, createdKeys: ReadonlySet<string>): Search[] {
  const { kind, id, before, after } = change;
  const { properties, dependents, delegated } = kind.model.dependencies;
  const own = { kind: kind.kind, id };
  const named = (entity: typeof before) => (entity ? kind.refs.outgoing(entity) : []);
  const [old, now] = [named(before), named(after)];
  const known = new Set(old.map((to) => `${fieldOfReference(to)} ${anchorKey(to)}`));
  const added = now.filter((to) => !known.has(`${fieldOfReference(to)} ${anchorKey(to)}`));
  const searchFrom = (anchor: Anchor): Search => ({
    change,
    goals: [anchor],
    starts: [anchor],
    added,
  });
  const members = added
    .filter((to) => dependents.has(fieldOfReference(to)) && !createdKeys.has(anchorKey(to)))
    .map((to) => ({ kind: to.kind, id: to.id, listed: anchorKey(to) }));
  return [
    // Skips references to parts: the entity of the part is referenced as well.
    ...(added.some((to) => properties.has(fieldOfReference(to)) && !to.of)
      ? [searchFrom(own)]
      : []),
    ...(members.length > 0 ? [{ change, goals: [own], starts: members, added }] : []),
    ...delegatedAnchors(delegated, old, now).map(searchFrom),
    ...releaseSearches(change, added),
  ];
}

function delegatedAnchors(
  { property, dependentsOf }: Dependencies['delegated'],
  before: Reference[],
  after: Reference[],
): Anchor[] {
  const delegated = (all: Reference[]) => all.filter((to) => fieldOfReference(to) === property);
  const [old, now] = [delegated(before), delegated(after)];
  return JSON.stringify(old) === JSON.stringify(now) ? [] : dependentsOf(now);
}

/** Returns the search for phases that depend on the target: such a phase could not begin. Imported releases already run. */
function releaseSearches(change: NetChange, added: Reference[]): Search[] {
  const { targets, phases: phaseField } = change.kind.model.dependencies.releases;
  const starts = added
    .filter((to) => targets.has(fieldOfReference(to)))
    .map(({ kind, id }) => ({ kind, id, isGoalAtOnce: true }));
  const phases = added.filter((to) => fieldOfReference(to) === phaseField);
  if (starts.length === 0 || phases.length === 0 || change.action === 'import') return [];
  return [{ change, goals: phases.map(({ kind, id }) => ({ kind, id })), starts, added, phases }];
}

/** The entities that the changes create, as keys. Their dependents are changed too, and have searches of their own. */
const createdKeysIn = (net: NetChange[]): ReadonlySet<string> =>
  new Set(
    net.filter(({ before }) => !before).map(({ kind, id }) => anchorKey({ kind: kind.kind, id })),
  );

/** Returns all searches of a batch, later changes first, so that the error names the change that closes the cycle. */
export function searches(net: NetChange[]): Search[] {
  const createdKeys = createdKeysIn(net);
  return net.toReversed().flatMap((change) => searchesOf(change, createdKeys));
}
