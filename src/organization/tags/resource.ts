import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { tagRoutes } from './routes.ts';
import { tagCreate, tagResponse } from './schema.ts';
import { newTag, tags } from './table.ts';

export const tagResource = {
  path: 'tags',
  kind: tags,
  routes: tagRoutes,
  transfer: { stage: 'names', stored: tagResponse, creation: creation(tagCreate, newTag) },
} satisfies Resource;
