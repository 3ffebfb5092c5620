const reasons: Record<string, string> = {
  no_exposures: 'No exposures yet',
  no_units: 'No units in a group',
  too_few_units: 'Fewer than 2 units in a group',
  zero_variance: 'All units have the same value',
  zero_denominator: 'The denominator is 0',
  unstable_denominator: 'The denominator is too uncertain',
  baseline_near_zero: 'Control is too close to 0 for a percentage',
  too_few_events: 'Too few events',
  unit_type: 'Counted by another ID type',
  not_computable: "This metric can't be computed from events",
  needs_effect: 'Needs an expected effect',
  not_loaded: 'Not computed yet',
};

/** Returns a reason in words; an unknown one unchanged. */
export const reasonInWords = (reason: string) => reasons[reason] ?? reason;

const warnings: Record<string, string> = {
  skewed: 'A few large values decide this result. The interval may be too narrow.',
  low_counts: 'Fewer than 5 units in a group did this, or fewer than 5 did not.',
  peeking: 'Looking before the planned end finds differences that are only chance.',
  pre_experiment_bias: 'The groups already differed before the experiment.',
  preliminary: 'The day is not over.',
};

/** Returns the sentence of a warning; undefined if it is not about trust in the numbers. */
export const warningInWords = (warning: string): string | undefined => warnings[warning];
