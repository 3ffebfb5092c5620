import { eq } from 'drizzle-orm';
import { createRoute, patchRoute, replaceRoute } from '../../operations/changing.ts';
import { entityRoutes } from '../../operations/history.ts';
import { listRoute } from '../../operations/reading.ts';
import { combine } from '../../operations/shown.ts';
import { merge } from '../../shared/fields.ts';
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
