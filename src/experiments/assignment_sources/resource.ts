import { creation } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { assignmentSourceRoutes } from './routes.ts';
import { assignmentSourceCreate, storedAssignmentSource } from './schema.ts';
import { assignmentSources, newAssignmentSource } from './table.ts';

export const assignmentSourceResource = {
  path: 'experiments/assignment_sources',
  kind: assignmentSources,
  routes: assignmentSourceRoutes,
  transfer: {
    stage: 'flags',
    stored: storedAssignmentSource,
    creation: creation(assignmentSourceCreate, newAssignmentSource),
  },
} satisfies Resource;
