import { type Context, contextOf } from '../evaluation/context.ts';
import { draw, ruleOfBucket } from '../evaluation/evaluate.ts';
import type { Project, Rule, Spec } from '../evaluation/spec.ts';
import type { Exposure } from '../resources/exposures/table.ts';
import type { Caller } from './caller.ts';
import { type Candidate, candidatesOf, type Sighting } from './sightings.ts';
import type { Snapshot } from './snapshot.ts';

/** What the sightings that an application reports lead to. */
export interface Reported {
  /** The sightings of what the key may evaluate; others are neither checks nor exposures. */
  readonly sightings: readonly Sighting[];
  readonly exposures: readonly Exposure[];
  /** What was reported and not stored. */
  readonly leftOut: readonly Exposure[];
}

/** The list of a project that a sighting's name is in. */
const lists = { gate: 'gates', config: 'configs', layer: 'layers' } as const;

/** Whether a key may evaluate a name. */
export const isOpen = (
  { list, id }: Pick<Sighting, 'list' | 'id'>,
  project: Pick<Project, 'gates' | 'configs' | 'layers'>,
): boolean => project[lists[list]].has(id);

/** The rules that the unit's bucket decides between. Once assignment has stopped, no bucket is in the experiment. */
const drawnRules = ({ rules }: Spec, isAssigning: boolean): readonly Rule[] =>
  isAssigning ? rules : rules.filter(({ isExperimentGroup }) => isExperimentGroup);

/** Whether the unit draws what was reported for it: its group by its bucket, or its side of a percentage. */
function isDrawn(
  context: Context,
  spec: Spec,
  { ruleID, passes }: Candidate,
  isAssigning: boolean,
): boolean {
  if (spec.type === 'dynamic_config')
    return ruleOfBucket(context, drawnRules(spec, isAssigning))?.id === ruleID;
  const rule = spec.rules.find(({ id }) => id === ruleID);
  return rule !== undefined && draw(context, spec, rule).passes === passes;
}

/** Whether an exposure was reported by whom it may be, and of the time in which its entity runs. */
function isCredible(
  context: Context,
  candidate: Candidate,
  { type }: Caller,
  { collections }: Snapshot,
): boolean {
  const { kind, id, start, firstTime } = candidate.exposure;
  const { gates, configs } = context.project;
  const spec = (kind === 'gate' || kind === 'holdout' ? gates : configs).get(candidate.spec);
  const isKnown = spec?.rules.some((rule) => rule.id === candidate.ruleID) === true;
  if (!isKnown || firstTime < start || firstTime > context.now) return false;
  // A server's key is secret. A client key is in every page, so that its group is checked.
  const isAssigning = collections.experiments.get(id)?.status !== 'assignment_stopped';
  return type !== 'CLIENT' || isDrawn(context, spec, candidate, isAssigning);
}

/**
 * Returns what an application's reports lead to. Names are looked up in what its key may evaluate, and exposures count
 * between the start of their entity and now. From a client key the group must be the one that the unit draws.
 * @param now epoch milliseconds
 */
export function reportsOf(
  given: readonly Sighting[],
  snapshot: Snapshot,
  caller: Caller,
  now: number,
): Reported {
  const project = snapshot.project(caller);
  const sightings = given.filter((sighting) => isOpen(sighting, project));
  const [exposures, leftOut]: [Exposure[], Exposure[]] = [[], []];
  for (const sighting of sightings) {
    const context = contextOf(project, sighting.user, now);
    for (const candidate of candidatesOf(sighting, snapshot)) {
      const isKept = isCredible(context, candidate, caller, snapshot);
      (isKept ? exposures : leftOut).push(candidate.exposure);
    }
  }
  return { sightings, exposures, leftOut };
}
