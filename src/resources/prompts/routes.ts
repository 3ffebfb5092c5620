import { Hono } from 'hono';
import type { Resource } from '../../env.ts';
import { idParam, merge, newID, show } from '../../fields.ts';
import { commonFilters, match } from '../../filters.ts';
import { entityRoutes } from '../../http/entity.ts';
import { created, listing, listOf, oneOf, single } from '../../http/envelope.ts';
import { doc, valid } from '../../http/valid.ts';
import { type Prompt, promptCreate, promptList, promptPatch, promptResponse } from './schema.ts';
import { prompts, promptTable } from './table.ts';

const prompt = oneOf(promptResponse);
const view = (entity: Prompt) => show(promptResponse, entity);

const empty = {
  description: '',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: '',
  teamID: '',
};

export const promptRoutes = new Hono<Resource>()
  .get('/', doc('List prompts', listOf(promptResponse)), valid('query', promptList), async (c) => {
    const query = c.req.valid('query');
    const filters = [...commonFilters(prompts, query), match(promptTable.teamID, query.teamID)];
    const page = await prompts.list(c, { page: query, filters });
    return listing(c, 'Prompts listed successfully.', page, view);
  })
  .post('/', doc('Create a prompt', prompt, 201), valid('json', promptCreate), async (c) => {
    const body = c.req.valid('json');
    const entity = await prompts.create(c, { ...empty, ...body, id: newID(body.id, body.name) });
    return created(c, 'Prompt created successfully.', entity, view(entity));
  })
  .patch(
    '/:id',
    doc('Update some properties of a prompt', prompt),
    valid('param', idParam),
    valid('json', promptPatch),
    async (c) => {
      const body = c.req.valid('json');
      const { id } = c.req.valid('param');
      const entity = await prompts.change(c, id, 'update', (current) => merge(current, body));
      return single(c, 'Prompt updated successfully.', entity, view(entity));
    },
  )
  .route('/', entityRoutes({ collection: prompts, response: promptResponse, view }));
