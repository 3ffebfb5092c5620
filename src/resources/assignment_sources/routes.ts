import { createRoute, patchRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { merge, show } from '../../shared/fields.ts';
import { listQuery } from '../../shared/filters.ts';
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
