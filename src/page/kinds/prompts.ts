import type { Kind } from '../recipe/kind.ts';
import type { Prompt } from '../types.ts';
import { about, brief, idType, name, settings, tags, targetApps, team } from './settings.tsx';

export const prompts: Kind<Prompt> = {
  path: 'prompts',
  one: 'prompt',
  many: 'Prompts',
  icon: 'message',
  about: 'A prompt is what an assistant is told, under a name that experiments and holdouts know.',
  columns: [{ title: 'What it is for', render: ({ description }) => description }],
  tabs: [settings([name, about, tags, idType, targetApps, team, { property: 'teamID' }], '')],
  creation: { fields: [name, brief] },
};
