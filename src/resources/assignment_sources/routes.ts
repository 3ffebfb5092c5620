import { merge, show } from '../../fields.ts';
import { listQuery } from '../../filters.ts';
import { createRoute, patchRoute } from '../../http/changing.ts';
import { entityRoutes } from '../../http/entity.ts';
import { listRoute } from '../../http/reading.ts';
import { combine } from '../../http/shown.ts';
import { type AssignmentSource, sourceCreate, sourcePatch, sourceResponse } from './schema.ts';
import { assignmentSources } from './table.ts';

const view = (source: AssignmentSource) => show(sourceResponse, source);
const shown = { collection: assignmentSources, response: sourceResponse, view };

const empty = {
  description: '',
  tags: [],
  sql: '',
  timestampColumn: '',
  groupIDColumn: '',
  experimentIDColumn: '',
  idTypeMapping: [],
};

export const assignmentSourceRoutes = combine(
  listRoute(shown, listQuery),
  createRoute(shown, {
    body: sourceCreate,
    make: (body) => ({ ...empty, ...body, id: body.name }),
  }),
  patchRoute(shown, sourcePatch, merge),
  entityRoutes(shown),
);
