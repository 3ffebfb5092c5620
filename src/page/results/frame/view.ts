export interface View {
  control: string;
  test: string;
  confidence?: string;
  cuped?: string;
  sequential?: string;
  corrections?: string;
  open?: string;
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
