import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { promptRoutes } from './routes.ts';
import { promptCreate, promptResponse } from './schema.ts';
import { newPrompt, prompts } from './table.ts';

export const promptResource = {
  path: 'prompts',
  kind: prompts,
  routes: promptRoutes,
  transfer: {
    stage: 'content',
    stored: promptResponse,
    creation: creation(promptCreate, newPrompt),
  },
} satisfies Resource;
