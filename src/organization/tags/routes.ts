import { nameRoutes } from '../../platform/resource/names.ts';
import { tagCreate, tagPatch, tagResponse, usedTag } from './schema.ts';
import { newTag, tags } from './table.ts';

export const tagRoutes = nameRoutes(tags, {
  schemas: { response: tagResponse, used: usedTag, create: tagCreate, patch: tagPatch },
  make: newTag,
  draft: (name) => newTag({ name }),
});
