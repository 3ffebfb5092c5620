import * as z from 'zod';
import { Problem } from '../../problem.ts';
import { isEqual } from '../../shared/equal.ts';
import { newName } from '../../shared/name_schemas.ts';
import {
  completeEnvironments,
  type Environments,
  environmentsResponse,
  environmentsUpdate,
} from '../environments/schema.ts';
import { environments, environmentsID } from '../environments/table.ts';
import { tagCreate, tagResponse } from '../tags/schema.ts';
import { newTag, tags } from '../tags/table.ts';
import { targetApp } from '../target_apps/schema.ts';
import { targetApps } from '../target_apps/table.ts';
import { team } from '../teams/schema.ts';
import { teams } from '../teams/table.ts';
import { unitIDType } from '../unit_id_types/schema.ts';
import { unitIdTypes } from '../unit_id_types/table.ts';
import { userCreate, userResponse } from '../users/schema.ts';
import { newUser, users } from '../users/table.ts';
import { creation, type Portable, readAs } from './portability.ts';

function requireSettable({ environments }: Environments): void {
  const set = readAs(environmentsUpdate, { environments });
  if (!isEqual(set.environments, environments))
    throw Problem.property('environments', 'must not have blanks around a name or an id');
}

/** Names that other entities mention; imported first, as a project may refuse unknown names. */
export const portableNames: readonly Portable[] = [
  {
    kind: environments,
    stored: environmentsResponse.extend({ id: z.literal(environmentsID) }),
    fromList: (record) => ({
      id: environmentsID,
      environments: completeEnvironments(readAs(environmentsUpdate, record)),
    }),
    requireReached: requireSettable,
  },
  {
    kind: unitIdTypes,
    stored: unitIDType.response,
    creation: creation(unitIDType.create, newName),
  },
  { kind: tags, stored: tagResponse, creation: creation(tagCreate, newTag) },
  { kind: targetApps, stored: targetApp.response, creation: creation(targetApp.create, newName) },
  { kind: teams, stored: team.response, creation: creation(team.create, newName) },
  { kind: users, stored: userResponse, creation: creation(userCreate, newUser) },
];
