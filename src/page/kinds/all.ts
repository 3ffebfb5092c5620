import { addPages } from '../base/history_words.ts';
import type { KindGroup, KindPage } from '../entity/kind.ts';
import { assignmentSources } from './assignment_sources.tsx';
import { autotunes } from './autotunes.tsx';
import { company } from './company.tsx';
import { dynamicConfigs } from './dynamic_configs.tsx';
import { environments } from './environments.tsx';
import { experiments } from './experiments.tsx';
import { gates } from './gates.tsx';
import { holdouts } from './holdouts.tsx';
import { keys } from './keys.tsx';
import { layers } from './layers.tsx';
import { metrics } from './metrics.tsx';
import { names } from './names.tsx';
import { paramStores } from './param_stores.tsx';
import { prompts } from './prompts.ts';
import { releasePipelines } from './release_pipelines.tsx';
import { releases } from './releases.tsx';
import { segments } from './segments.tsx';
import { users } from './users.tsx';
import { webhooks } from './webhooks.tsx';

export const kinds: KindPage[] = [
  gates,
  dynamicConfigs,
  paramStores,
  segments,
  releases,
  prompts,
  releasePipelines,
  experiments,
  autotunes,
  metrics,
  layers,
  holdouts,
  assignmentSources,
  keys,
  webhooks,
  environments,
  ...names,
  users,
  company,
];

addPages(kinds);

const byPath = new Map(kinds.map((kind) => [kind.path, kind]));

/** Returns the resource page at the first step of an address. */
export const kindAt = (path: string): KindPage | undefined => byPath.get(path);

export const kindsIn = (group: KindGroup): KindPage[] =>
  kinds.filter((kind) => kind.group === group);
