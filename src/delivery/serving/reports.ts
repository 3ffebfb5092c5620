import type { Exposure } from '../../data/exposures/table.ts';
import { contextOf, type EvaluationContext } from '../../engine/evaluation/context.ts';
import { draw, ruleOfBucket } from '../../engine/evaluation/evaluate.ts';
import type { Project, Spec, SpecRule } from '../../engine/evaluation/spec.ts';
import type { Caller } from './caller.ts';
import { type Candidate, candidatesOf, type ExposureEvent } from './exposure_events.ts';
import type { Snapshot } from './snapshot.ts';

export interface Report {
  readonly exposureEvents: readonly ExposureEvent[];
  readonly exposures: readonly Exposure[];
  readonly leftOut: readonly Exposure[];
  /** The number of events of flags that the key cannot evaluate. */
  readonly unknown: number;
}

const lists = { gate: 'gates', config: 'configs', layer: 'layers' } as const;

/** Whether a key may evaluate a spec. */
export const isEvaluable = (
  { list, id }: Pick<ExposureEvent, 'list' | 'id'>,
  project: Pick<Project, 'gates' | 'configs' | 'layers'>,
): boolean => project[lists[list]].has(id);

/** Once assignment has stopped, the experiment has no buckets, so only its group rules can match. */
const drawnRules = ({ rules }: Spec, isAssigning: boolean): readonly SpecRule[] =>
  isAssigning ? rules : rules.filter(({ isExperimentGroup }) => isExperimentGroup);

/** Whether the unit's bucket leads to the reported group, or to the reported side of a pass percentage. */
function isCandidateDrawn(
  context: EvaluationContext,
  spec: Spec,
  { ruleID, passes }: Candidate,
  isAssigning: boolean,
): boolean {
  if (spec.type === 'dynamic_config')
    return ruleOfBucket(context, drawnRules(spec, isAssigning))?.id === ruleID;
  const rule = spec.rules.find(({ id }) => id === ruleID);
  return rule !== undefined && draw(context, spec, rule).passes === passes;
}

/** Whether the rule exists, the time is in the run of its entity, and the key could have got the group. */
function isCredible(
  context: EvaluationContext,
  candidate: Candidate,
  { type }: Caller,
  { collections }: Snapshot,
): boolean {
  const { kind, id, start, firstTime } = candidate.exposure;
  const { gates, configs } = context.project;
  const spec = (kind === 'gate' || kind === 'holdout' ? gates : configs).get(candidate.spec);
  const isKnown = spec?.rules.some((rule) => rule.id === candidate.ruleID) === true;
  if (!isKnown || firstTime < start || firstTime > context.now) return false;
  // A server key is secret. A client key is public, so its group is verified.
  const isAssigning = collections.experiments.get(id)?.status !== 'assignment_stopped';
  return type !== 'CLIENT' || isCandidateDrawn(context, spec, candidate, isAssigning);
}

/** Returns the credible exposures of reported events, and the others as `leftOut`. `now` in epoch milliseconds. */
export function reportsOf(
  reported: readonly ExposureEvent[],
  snapshot: Snapshot,
  caller: Caller,
  now: number,
): Report {
  const project = snapshot.project(caller);
  const exposureEvents = reported.filter((exposureEvent) => isEvaluable(exposureEvent, project));
  const [exposures, leftOut]: [Exposure[], Exposure[]] = [[], []];
  for (const exposureEvent of exposureEvents) {
    const context = contextOf(project, exposureEvent.user, now);
    for (const candidate of candidatesOf(exposureEvent, snapshot)) {
      const isKept = isCredible(context, candidate, caller, snapshot);
      (isKept ? exposures : leftOut).push(candidate.exposure);
    }
  }
  const unknown = reported.length - exposureEvents.length;
  return { exposureEvents, exposures, leftOut, unknown };
}
