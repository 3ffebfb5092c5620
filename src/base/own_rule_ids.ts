/** The rule IDs that evaluation returns if no rule, group or variant of the project decided. */
const ownRuleIDs = [
  'default',
  'disabled',
  'launched',
  'prestart',
  'layerAssignment',
  'targetingGate',
  'inlineTargetingRules',
  'launchedGroup',
  'stopped',
  'abandoned',
] as const;

export type OwnRuleID = (typeof ownRuleIDs)[number];

const own: ReadonlySet<string> = new Set(ownRuleIDs);

/** Whether evaluation itself returns an ID: exposures under it would be counted for a rule with that ID. */
export const isOwnRuleID = (id: string): boolean => own.has(id) || /:(id_)?override$/.test(id);
