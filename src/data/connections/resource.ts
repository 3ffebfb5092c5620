import * as z from 'zod';
import { stamps } from '../../base/fields.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { sectionsWithoutPlaceholders } from './connection.ts';
import { connectionRoutes } from './routes.ts';
import { sectionsWithoutSecrets } from './schema.ts';
import { connectionID, connections } from './table.ts';

export const connectionResource = {
  path: 'wh_connections',
  kind: connections,
  routes: connectionRoutes,
  transfer: {
    stage: 'parts',
    stored: sectionsWithoutSecrets.extend({ id: z.literal(connectionID), ...stamps }),
    fromList: (record) => ({ id: connectionID, ...sectionsWithoutPlaceholders(record) }),
  },
} satisfies Resource;
