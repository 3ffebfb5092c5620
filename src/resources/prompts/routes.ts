import { createRoute, patchRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { merge, newID, show } from '../../shared/fields.ts';
import { match } from '../../shared/filters.ts';
import { type Prompt, promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { prompts, promptTable } from './table.ts';

const view = (entity: Prompt) => show(promptResponse, entity);
const shown = { collection: prompts, response: promptResponse, view };

const empty = {
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: '',
};

export const promptRoutes = combine(
  listRoute(shown, promptList, ({ teamID }) => [match(promptTable.teamID, teamID)]),
  createRoute(shown, {
    body: promptCreate,
    make: (body) => ({ ...empty, ...body, id: newID(body.id, body.name) }),
  }),
  patchRoute(shown, promptPatch, merge),
  entityRoutes(shown),
);
