import { rulesInWords } from '../base/rule_words.ts';
import type { Segment } from '../base/types.ts';
import { count } from '../base/words.ts';
import type { Editing, KindPage } from '../entity/kind.ts';
import { withIDs } from '../entity/load.ts';
import { archivedFilter, archivedLock, archiving, unarchiving } from '../entity/switched.ts';
import {
  about,
  FieldsOf,
  idType,
  name,
  settings,
  shortDescription,
  tags,
  targetApps,
  teamOrNone,
} from '../experiment/settings.tsx';
import { TriedRules } from './tried_rules.tsx';

const types: Record<Segment['type'], string> = { rule_based: 'By rules', id_list: 'A list of IDs' };

const segmentSummary = ({ type, rules, count: size }: Segment) =>
  type === 'id_list' ? count(size, 'ID') : rulesInWords(rules);

const listChange = (before: Segment, after: Segment) => {
  const [old, now] = [new Set(before.ids), new Set(after.ids)];
  return { add: [...now.difference(old)], remove: [...old.difference(now)] };
};

const Members = ({ editing }: { editing: Editing<Segment> }) =>
  editing.value.type === 'id_list' ? (
    <FieldsOf
      editing={editing}
      specs={[{ property: 'ids', as: 'tokens', hint: 'Paste a list to add many.' }]}
    />
  ) : (
    <TriedRules
      tried={{ kind: 'segment', entity: editing.value }}
      editing={editing}
      otherwise="not in the segment"
    />
  );

export const segments: KindPage<Segment> = {
  path: 'segments',
  kind: 'segment',
  group: 'Flags',
  one: 'segment',
  many: 'Segments',
  icon: 'people',
  about: 'A segment is a named group of users for gates, configs and experiments.',
  columns: [
    { title: 'Who is in it', render: segmentSummary },
    { title: 'Type', render: ({ type }) => types[type], isExtra: true },
  ],
  filters: [archivedFilter, { name: 'type', label: 'Type', options: types }],
  facts: ({ type }) => <span>{types[type]}</span>,
  tabs: [
    { path: '', title: 'Members', View: Members },
    settings([name, about, tags, idType, targetApps, teamOrNone]),
  ],
  actions: ({ status }) => [status === 'archived' ? unarchiving : archiving],
  lock: archivedLock,
  creation: {
    fields: [name, shortDescription, { property: 'type', as: 'choice', options: types }],
    values: { type: 'rule_based' },
  },
  load: withIDs,
  apart: [{ property: 'ids', path: '/id_list', method: 'PATCH', body: listChange }],
};
