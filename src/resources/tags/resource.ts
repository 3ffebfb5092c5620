import type { Resource } from '../resource.ts';
import { creation } from '../transfer/portability.ts';
import { tagRoutes } from './routes.ts';
import { tagCreate, tagResponse } from './schema.ts';
import { newTag, tags } from './table.ts';

export const tagResource = {
  path: 'tags',
  kind: tags,
  routes: tagRoutes,
  transfer: { stage: 'names', stored: tagResponse, creation: creation(tagCreate, newTag) },
} satisfies Resource;
