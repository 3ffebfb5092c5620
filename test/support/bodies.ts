import type * as z from 'zod';
import type { eventsImport } from '../../src/data/events/schema.ts';
import type { sourceCreate } from '../../src/data/ingestion/schema.ts';
import type { metricCreate } from '../../src/data/metrics/schema.ts';
import type {
  assignmentSourceCreate,
  assignmentSourcePatch,
} from '../../src/experiments/assignment_sources/schema.ts';
import type { autotuneCreate, autotunePatch } from '../../src/experiments/autotunes/schema.ts';
import type {
  experimentCreate,
  experimentPatch,
} from '../../src/experiments/experiments/schema.ts';
import type { holdoutCreate, holdoutPatch } from '../../src/experiments/holdouts/schema.ts';
import type { layerCreate, layerPatch } from '../../src/experiments/layers/schema.ts';
import type {
  dynamicConfigCreate,
  dynamicConfigPatch,
} from '../../src/flags/dynamic_configs/schema.ts';
import type { gateCreate, gatePatch } from '../../src/flags/gates/schema.ts';
import type { storeCreate, storePatch } from '../../src/flags/param_stores/schema.ts';
import type { pipelineCreate, pipelinePatch } from '../../src/flags/pipelines/schema.ts';
import type { promptCreate, promptPatch } from '../../src/flags/prompts/schema.ts';
import type { triggerCreate } from '../../src/flags/releases/schema.ts';
import type { segmentCreate, segmentPatch } from '../../src/flags/segments/schema.ts';
import type { keyCreate, keyPatch } from '../../src/organization/keys/schema.ts';
import type { tagCreate, tagPatch } from '../../src/organization/tags/schema.ts';
import type { targetApp } from '../../src/organization/target_apps/schema.ts';
import type { team } from '../../src/organization/teams/schema.ts';
import type { unitIDType } from '../../src/organization/unit_id_types/schema.ts';
import type { userCreate, userPatch } from '../../src/organization/users/schema.ts';
import type { WebhookBodies } from '../../src/project/webhooks/body_schema.ts';

/** A type with any text in place of its literals: tests pass texts from tables and variables. */
type Loose<T> = T extends string
  ? string
  : T extends object
    ? { [Key in keyof T]: Loose<T[Key]> }
    : T;

/** The bodies that create entities, by path. */
interface Exact {
  gates: z.input<typeof gateCreate>;
  dynamic_configs: z.input<typeof dynamicConfigCreate>;
  prompts: z.input<typeof promptCreate>;
  experiments: z.input<typeof experimentCreate>;
  'experiments/assignment_sources': z.input<typeof assignmentSourceCreate>;
  layers: z.input<typeof layerCreate>;
  holdouts: z.input<typeof holdoutCreate>;
  segments: z.input<typeof segmentCreate>;
  autotunes: z.input<typeof autotuneCreate>;
  metrics: z.input<typeof metricCreate>;
  events: z.input<typeof eventsImport>;
  release_pipelines: z.input<typeof pipelineCreate>;
  release_pipeline_triggers: z.input<typeof triggerCreate>;
  keys: z.input<typeof keyCreate>;
  tags: z.input<typeof tagCreate>;
  teams: z.input<typeof team.create>;
  target_apps: z.input<typeof targetApp.create>;
  unit_id_types: z.input<typeof unitIDType.create>;
  users: z.input<typeof userCreate>;
  param_stores: z.input<typeof storeCreate>;
  ingestion: z.input<typeof sourceCreate>;
  webhooks: z.input<WebhookBodies['create']>;
}

export type Creations = { [Path in keyof Exact]: Loose<Exact[Path]> };

/** The bodies that change some properties of an entity, by path. */
interface Changes {
  'experiments/assignment_sources': z.input<typeof assignmentSourcePatch>;
  autotunes: z.input<typeof autotunePatch>;
  dynamic_configs: z.input<typeof dynamicConfigPatch>;
  experiments: z.input<typeof experimentPatch>;
  gates: z.input<typeof gatePatch>;
  holdouts: z.input<typeof holdoutPatch>;
  keys: z.input<typeof keyPatch>;
  layers: z.input<typeof layerPatch>;
  param_stores: z.input<typeof storePatch>;
  prompts: z.input<typeof promptPatch>;
  release_pipelines: z.input<typeof pipelinePatch>;
  segments: z.input<typeof segmentPatch>;
  tags: z.input<typeof tagPatch>;
  users: z.input<typeof userPatch>;
  webhooks: z.input<WebhookBodies['patch']>;
}

/** The path of an entity: `gates/…` without a further part. */
type ChangedBy<Path extends string> = {
  [Of in keyof Changes]: Path extends `${Of}/${infer ID}`
    ? ID extends `${string}/${string}`
      ? never
      : Of
    : never;
}[keyof Changes];

/** The body of an operation, if it creates or changes an entity of a type above; else any. */
export type BodyOf<Method extends string, Path extends string> = [Method, Path] extends [
  'POST',
  keyof Creations,
]
  ? Creations[Path & keyof Creations]
  : [Method, ChangedBy<Path>] extends ['PATCH', never]
    ? unknown
    : [Method] extends ['PATCH']
      ? Loose<Changes[ChangedBy<Path>]>
      : unknown;

/** The entries of a list in a body. */
export type Entry<Body, List extends keyof Body> =
  NonNullable<Body[List]> extends (infer Item)[] ? Item : never;

type Rule = Entry<Creations['gates'], 'rules'>;

export type Condition = Entry<Rule, 'conditions'>;

export type Event = Entry<Creations['events'], 'events'>;

export type Phase = Entry<Creations['release_pipelines'], 'phases'>;

export type Parameter = Entry<Creations['param_stores'], 'parameters'>;
