import { go, useLocation } from '../../base/location.ts';
import type { Experiment } from '../../base/types.ts';
import type { View } from './view.ts';

type Groups = Pick<Experiment, 'groups' | 'controlGroupID'>;

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
