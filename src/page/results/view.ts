import { go, useLocation } from '../location.ts';
import type { Experiment } from '../types.ts';

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

type Groups = Pick<Experiment, 'groups' | 'controlGroupID'>;

/** Returns the groups with the control first. */
const inOrder = (groups: Groups['groups'], control: string | undefined) => [
  ...groups.filter(({ id }) => id === control),
  ...groups.filter(({ id }) => id !== control),
];

/** Reads the view from the address, and changes it there. */
export function useView(experiment: Groups) {
  const { path, query } = useLocation();
  const { controlGroupID } = experiment;
  const isGroup = (id: string | null | undefined) =>
    experiment.groups.some((group) => group.id === id);
  const usual = isGroup(controlGroupID) ? controlGroupID : experiment.groups[0]?.id;
  const control = isGroup(query.control) ? query.control : (usual ?? undefined);
  const groups = inOrder(experiment.groups, control);
  const others = groups.filter(({ id }) => id !== control);
  const only = others.length === 1 ? others[0]?.id : undefined;
  const test = others.some(({ id }) => id === query.test) ? query.test : only;
  const view: View = { ...query, control: control ?? '', test: test ?? '' };
  const setView = (edits: Partial<View>) => {
    const next = Object.entries({ ...query, ...edits }).filter(
      ([, value]) => value !== undefined && value !== '',
    );
    const text = new URLSearchParams(next.map(([name, value]) => [name, String(value)]));
    go(next.length > 0 ? `${path}?${text}` : path, true);
  };
  return { view, setView, groups };
}

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
