/** The selected comparison. It is part of the address, so that a link shows the same. */
export interface View {
  control: string;
  /** The ID of the test group; empty for all of several. */
  test: string;
  confidence?: string;
  cuped?: string;
  sequential?: string;
  corrections?: string;
  /** The metric whose row is open. */
  open?: string;
  /** The test group whose row is open, among several. */
  openGroup?: string;
  series?: string;
  dimension?: string;
  metric?: string;
}

const switches = ['confidence', 'cuped', 'sequential', 'corrections'] as const;

/** Whether the statistics differ from the experiment's settings. */
export const isOwnView = (view: View) => switches.some((name) => view[name] !== undefined);

/** Returns the query of the statistics of a test group for the API. */
export function queryOf(view: View, test: string): string {
  const query = new URLSearchParams({ control: view.control, test });
  if (view.confidence) query.set('confidence', view.confidence);
  if (view.cuped) query.set('cuped', view.cuped);
  if (view.sequential) query.set('sequential', view.sequential);
  if (view.corrections)
    for (const name of ['applyBonferroniPerMetric', 'applyBonferroniPerVariant'])
      query.set(name, view.corrections);
  return query.toString();
}
