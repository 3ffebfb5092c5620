import { eq } from 'drizzle-orm';
import { merge } from '../../fields.ts';
import { createRoute, patchRoute, replaceRoute } from '../../http/changing.ts';
import { entityRoutes } from '../../http/entity.ts';
import { listRoute } from '../../http/reading.ts';
import { combine } from '../../http/shown.ts';
import { newHoldout, replaceHoldout, viewHoldout } from './holdout.ts';
import {
  holdoutCreate,
  holdoutList,
  holdoutPatch,
  holdoutResponse,
  holdoutUpdate,
} from './schema.ts';
import { holdouts, holdoutTable } from './table.ts';

const shown = { collection: holdouts, response: holdoutResponse, view: viewHoldout };

export const holdoutRoutes = combine(
  listRoute(shown, holdoutList, ({ isGlobal }) => [
    isGlobal === undefined ? undefined : eq(holdoutTable.isGlobal, Number(isGlobal)),
  ]),
  createRoute(shown, { body: holdoutCreate, make: newHoldout }),
  replaceRoute(shown, holdoutUpdate, replaceHoldout),
  patchRoute(shown, holdoutPatch, merge),
  entityRoutes(shown),
);
