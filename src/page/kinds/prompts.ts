import type { KindPage } from '../recipe/kind.ts';
import type { Prompt } from '../types.ts';
import {
  about,
  idType,
  name,
  settings,
  shortDescription,
  tags,
  targetApps,
  team,
} from './settings.tsx';

export const prompts: KindPage<Prompt> = {
  path: 'prompts',
  kind: 'prompt',
  group: 'Flags',
  one: 'prompt',
  many: 'Prompts',
  icon: 'message',
  about: 'A prompt holds instructions for an assistant.',
  columns: [{ title: 'Description', render: ({ description }) => description }],
  tabs: [settings([name, about, tags, idType, targetApps, team, { property: 'teamID' }], '')],
  creation: { fields: [name, shortDescription] },
};
