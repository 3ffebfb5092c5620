import * as z from 'zod';
import { Problem } from '../../base/problem.ts';
import type { ReadonlyRecord } from '../../base/value_types.ts';
import { faultsOf } from '../../platform/http/zod_errors.ts';
import type { Snapshot } from '../serving/snapshot.ts';
import { limits } from './bounds.ts';

const name = z.string().min(1);

const customExposure = z
  .looseObject({
    experimentName: name.optional(),
    gateName: name.optional(),
    passes: z.boolean().optional(),
    group: name.optional(),
    ruleID: z.string().optional(),
  })
  .superRefine(({ experimentName, gateName, passes, group, ruleID }, context) => {
    const report = (property: string, message: string) =>
      context.addIssue({ code: 'custom', path: [property], message });
    if ((experimentName === undefined) === (gateName === undefined))
      report('experimentName', 'must be present if gateName is not, and absent otherwise');
    if (gateName !== undefined && passes === undefined)
      report('passes', 'must be true or false for a gate');
    if (group === undefined && ruleID === undefined)
      report('group', 'must be present unless ruleID is');
  });

type CustomExposure = z.infer<typeof customExposure>;

const customExposures = z.object({
  exposures: z.array(customExposure).min(1).max(limits.events),
});

/** An unknown name is kept and matches no group. */
function exposedRuleID({ experimentName, gateName, group, ruleID }: CustomExposure, of: Snapshot) {
  if (ruleID !== undefined) return ruleID;
  const { experiments, gates } = of.collections;
  const named =
    gateName === undefined
      ? experiments.get(of.nameOf(experimentName ?? ''))?.groups
      : gates.get(of.nameOf(gateName))?.rules;
  return named?.find((candidate) => candidate.name === group)?.id ?? group;
}

function eventOf(exposure: CustomExposure, snapshot: Snapshot) {
  const { experimentName, gateName, passes } = exposure;
  const { user, time, secondaryExposures } = exposure;
  const ruleID = exposedRuleID(exposure, snapshot);
  const shared = { user, time, secondaryExposures };
  if (gateName === undefined) {
    const metadata = { config: experimentName, ruleID, rulePassed: 'true' };
    return { eventName: 'statsig::config_exposure', metadata, ...shared };
  }
  const metadata = { gate: gateName, ruleID, gateValue: String(passes) };
  return { eventName: 'statsig::gate_exposure', metadata, ...shared };
}

/** Returns the exposures of a body as events. `@throws Problem` 400 naming the property. */
export function customExposureEvents(body: ReadonlyRecord, snapshot: Snapshot): object[] {
  const { data, error } = customExposures.safeParse(body);
  if (error) throw Problem.invalid(faultsOf(error, body, 'body'));
  return data.exposures.map((exposure) => eventOf(exposure, snapshot));
}
