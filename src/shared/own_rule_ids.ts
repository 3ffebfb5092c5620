/** The ids of rules that evaluation makes itself: by these, answers say that no rule, group or variant of people's decided. */
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

/** Whether evaluation gives an id itself, even to an override: answers under it would be counted for whatever else has it. */
export const isOwnRuleID = (id: string): boolean => own.has(id) || /:(id_)?override$/.test(id);
