import * as z from 'zod';
import { isEqual } from '../../base/equal.ts';
import { Problem } from '../../base/problem.ts';
import { readAs } from '../../platform/resource/portable.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { environmentRoutes } from './routes.ts';
import {
  completeEnvironments,
  type Environments,
  environmentsResponse,
  environmentsUpdate,
} from './schema.ts';
import { environments, environmentsID } from './table.ts';

function requireSettable({ environments }: Environments): void {
  const set = readAs(environmentsUpdate, { environments });
  if (!isEqual(set.environments, environments))
    throw Problem.property('environments', 'must not have blanks around a name or an id');
}

export const environmentResource = {
  path: 'environments',
  kind: environments,
  routes: environmentRoutes,
  transfer: {
    stage: 'names',
    stored: environmentsResponse.extend({ id: z.literal(environmentsID) }),
    fromList: (record) => ({
      id: environmentsID,
      environments: completeEnvironments(readAs(environmentsUpdate, record)),
    }),
    requireReached: requireSettable,
  },
} satisfies Resource;
