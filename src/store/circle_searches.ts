import { type Anchor, anchorKey, fieldOf, type Reference } from '../shared/naming.ts';
import type { NetChange } from './net_changes.ts';

/**
 * The properties through which the evaluation of one entity asks for that of another (contract of evaluation, section
 * 5). An experiment asks its layer for the holdouts that this is in.
 */
export const asking = new Set([
  'rules',
  'targetingGateID',
  'inlineTargetingRulesJSON',
  'overrides',
  'layerID',
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

/** A search for a circle: from `starts` to all that ask for them, and on, until one of the `goals` is among them. */
export interface Search {
  change: NetChange;
  goals: Anchor[];
  /** `via` names what of the change leads there, where that is not the goal; `next` whom it asks, before the search. */
  starts: (Anchor & { via?: string; next?: string })[];
  /** What the change names, and did not name before. */
  fresh: Reference[];
  /** What a release will have its gate or dynamic config ask for, where that is what is searched. */
  phases?: Reference[];
}

function searchesOf(change: NetChange): Search[] {
  const { kind, id, before, after } = change;
  const own = { kind: kind.kind, id };
  const named = (entity: typeof before) => (entity ? kind.references(entity) : []);
  const [old, now] = [named(before), named(after)];
  const known = new Set(old.map((to) => `${fieldOf(to)} ${anchorKey(to)}`));
  const fresh = now.filter((to) => !known.has(`${fieldOf(to)} ${anchorKey(to)}`));
  const through = (anchor: Anchor): Search => ({
    change,
    goals: [anchor],
    starts: [anchor],
    fresh,
  });
  const members = fresh
    .filter((to) => asked.has(fieldOf(to)))
    .map((to) => ({ kind: to.kind, id: to.id, via: anchorKey(to) }));
  return [
    ...(fresh.some((to) => asking.has(fieldOf(to))) ? [through(own)] : []),
    ...(members.length > 0 ? [{ change, goals: [own], starts: members, fresh }] : []),
    ...overridden(old, now).map((of) => through({ kind: 'experiment', id: of })),
    ...releasing(change, fresh),
  ];
}

/** The experiments that a layer overrides otherwise than before. */
function overridden(before: Reference[], after: Reference[]): string[] {
  const overrides = (all: Reference[]) => all.filter((to) => fieldOf(to) === overriding);
  const [old, now] = [overrides(before), overrides(after)];
  if (JSON.stringify(old) === JSON.stringify(now)) return [];
  const named = now.filter(({ kind }) => kind === 'experiment_on_the_layer');
  return [...new Set(named.map(({ id }) => id.slice(id.indexOf(':') + 1)))];
}

/**
 * What is about to be released must not be asked for by what its later phases name, or these could not begin. A release
 * that is imported began elsewhere, and pauses at its turn.
 */
function releasing(change: NetChange, fresh: Reference[]): Search[] {
  const starts = fresh
    .filter((to) => released.has(fieldOf(to)))
    .map(({ kind, id }) => ({ kind, id, next: 'release' }));
  const phases = fresh.filter((to) => fieldOf(to) === phased);
  if (starts.length === 0 || phases.length === 0 || change.action === 'import') return [];
  return [{ change, goals: phases.map(({ kind, id }) => ({ kind, id })), starts, fresh, phases }];
}

/** All searches of a batch; those of later changes first, so that the change that closes a circle is the one named. */
export const searches = (net: NetChange[]): Search[] => net.toReversed().flatMap(searchesOf);
