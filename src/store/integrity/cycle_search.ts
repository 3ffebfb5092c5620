import { distinct } from '../../shared/distinct.ts';
import { type Anchor, anchorKey, fieldOf, type Reference } from '../../shared/naming.ts';
import type { NetChange } from '../changes/net_changes.ts';

// A circle is searched for against the direction in which entities ask for each other: from the `starts` to all that ask
// for them, and on to those that ask for these, until one of the `goals` is among them.
//
// - A gate A comes to pass a gate B, which passes A. It is start and goal. B asks for A, and A asks for B: A is reached
//   as one that `asks` B, so that its rule which names B closes the circle.
// - A holdout H, targeted by a gate B that passes a gate A, comes to list A, by which A asks for H. A is the start, H the
//   goal. B asks for A, and H for B: what closes the circle is that H has `listed` A.
// - A release of a gate A begins, whose later phase names a gate B that passes A: then A will ask for B. A is the start,
//   and B, of the `phases`, the goal; it asks for A. Had the phase named A itself, the start would be the goal already,
//   and so is one that `asks` something, the release.

/**
 * The properties through which the evaluation of one entity asks for that of another.
 * An experiment asks its layer for the holdouts that this is in; a metric is computed from others.
 * See docs/contract/evaluation.md#57-always-true-of-a-spec.
 */
export const asking = new Set([
  'rules',
  'targetingGateID',
  'inlineTargetingRulesJSON',
  'overrides',
  'layerID',
  'metricComponentMetrics',
]);

/** The properties by which a holdout says which others ask for it. */
const asked = new Set(['gateIDs', 'experimentIDs', 'layerIDs']);

/** The property by which a layer says what its experiments ask for. */
export const overriding = 'conditionalOverrides';

/** The properties by which a release says whose rules it sets, and the one that says what these will ask for. */
const released = new Set(['gateID', 'dynamicConfigID']);
const phased = 'phases';

/** Whether a reference can be what closes a circle. */
export const canClose = (to: Reference): boolean =>
  asking.has(fieldOf(to)) || asked.has(fieldOf(to)) || fieldOf(to) === overriding;

/** A search for a circle. */
export interface Search {
  change: NetChange;
  goals: Anchor[];
  /** Of a member, `listed` is itself, which the change lists; `asks` is whom a start asks for before any is found to. */
  starts: (Anchor & { listed?: string; asks?: string })[];
  /** What the change names, and did not name before. */
  added: Reference[];
  /** What a release will have its gate or dynamic config ask for, where that is what is searched. */
  phases?: Reference[];
}

function searchesOf(change: NetChange, fresh: ReadonlySet<string>): Search[] {
  const { kind, id, before, after } = change;
  const own = { kind: kind.kind, id };
  const named = (entity: typeof before) => (entity ? kind.references(entity) : []);
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
    // Of a part, the entity is named as well.
    ...(added.some((to) => asking.has(fieldOf(to)) && !to.of) ? [through(own)] : []),
    ...(members.length > 0 ? [{ change, goals: [own], starts: members, added }] : []),
    ...overridden(old, now).map((of) => through({ kind: 'experiment', id: of })),
    ...releasing(change, added),
  ];
}

/** The experiments that a layer overrides otherwise than before. */
function overridden(before: Reference[], after: Reference[]): string[] {
  const overrides = (all: Reference[]) => all.filter((to) => fieldOf(to) === overriding);
  const [old, now] = [overrides(before), overrides(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const named = now.filter(({ kind }) => kind === 'experiment_on_the_layer');
  return distinct(named.map(({ id }) => id.slice(id.indexOf(':') + 1)));
}

/**
 * What is about to be released must not be asked for by what its later phases name, or these could not begin. A release
 * that is imported began elsewhere, and pauses at its turn.
 */
function releasing(change: NetChange, added: Reference[]): Search[] {
  const starts = added
    .filter((to) => released.has(fieldOf(to)))
    .map(({ kind, id }) => ({ kind, id, asks: 'release' }));
  const phases = added.filter((to) => fieldOf(to) === phased);
  if (starts.length === 0 || phases.length === 0 || change.action === 'import') return [];
  return [{ change, goals: phases.map(({ kind, id }) => ({ kind, id })), starts, added, phases }];
}

/** What comes into being by some changes, as keys: what asks for it was changed by them too, and is searched by itself. */
const freshIn = (net: NetChange[]): ReadonlySet<string> =>
  new Set(
    net.filter(({ before }) => !before).map(({ kind, id }) => anchorKey({ kind: kind.kind, id })),
  );

/** All searches of a batch; those of later changes first, so that the change that closes a circle is the one named. */
export function searches(net: NetChange[]): Search[] {
  const fresh = freshIn(net);
  return net.toReversed().flatMap((change) => searchesOf(change, fresh));
}
