import type { Prompt } from '../base/types.ts';
import type { KindPage } from '../entity/kind.ts';
import {
  about,
  idType,
  name,
  settings,
  shortDescription,
  tags,
  targetApps,
  team,
} from '../experiment/settings.tsx';

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
