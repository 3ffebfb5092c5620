import * as z from 'zod';
import {
  creatorInput,
  description,
  idTypeInput,
  name,
  nameInput,
  stamps,
  stampsExample,
  strings,
  tags,
  targetAppsInput,
} from '../../base/fields.ts';
import { id } from '../../base/ids.ts';
import { listQuery } from '../../platform/operations/query.ts';

const example = {
  name: 'Support greeting',
  description: 'The greeting of the assistant.',
  idType: 'userID',
  targetApps: [],
  tags: ['support'],
  team: 'Support',
  teamID: 'team_support',
};

export const promptResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    idType: z.string(),
    targetApps: strings,
    holdoutIDs: strings,
    tags: strings,
    team: z.string(),
    teamID: z.string(),
    ...stamps,
  })
  .meta({
    id: 'Prompt',
    examples: [{ id: 'support_greeting', ...example, holdoutIDs: [], ...stampsExample }],
  });

export type Prompt = z.infer<typeof promptResponse>;

export const promptPatch = z
  .object({
    name,
    description,
    idType: idTypeInput,
    targetApps: targetAppsInput,
    tags,
    team: nameInput,
    teamID: nameInput,
    ...creatorInput,
  })
  .partial()
  .meta({ id: 'PromptPatch', examples: [{ tags: ['support', 'reviewed'] }] });

export const promptCreate = promptPatch
  .required({ name: true })
  .extend({ id: id.optional() })
  .meta({ id: 'PromptCreate', examples: [example] });

export const promptList = listQuery.extend({ teamID: z.string().optional() });
