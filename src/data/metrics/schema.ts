import * as z from 'zod';
import {
  description,
  displayName,
  nameInput,
  nameSet,
  nullableName,
  nullableText,
  repeatable,
  type Stamps,
  stamps,
  stampsExample,
  strings,
  tags,
} from '../../base/fields.ts';
import { limits } from '../../base/limits.ts';
import { listQuery } from '../../platform/operations/query.ts';
import { definition, metricEvent, metricEventInput } from './definition_schema.ts';
import { ownWindow } from './rollup_windows.ts';
import { warehouseNative } from './warehouse_schema.ts';

export const metricTypes = [
  'ratio',
  'mean',
  'event_count_custom',
  'event_user',
  'funnel',
  'composite',
  'composite_sum',
  'sum',
  'undefined',
  'user_warehouse',
  'percentile',
] as const;
export const directions = ['increase', 'decrease'] as const;

export const metricType = z.enum(metricTypes).meta({ id: 'MetricType' });

const name = displayName(3, 200)
  .refine((text) => !text.includes('::'), 'must not contain "::"')
  .meta({ minLength: 3, maxLength: 200 });

const direction = z.enum(directions);

const example = {
  name: 'Revenue',
  directionality: 'increase',
  type: 'sum',
  description: 'Total of all purchases.',
  isPermanent: false,
  isReadOnly: false,
  isVerified: true,
  tags: ['core'],
  unitTypes: ['userID'],
};

const exampleEvent = { name: 'purchase', type: 'value' };

export const metricResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    directionality: direction,
    type: metricType,
    description: z.string(),
    isPermanent: z.boolean(),
    isReadOnly: z.boolean(),
    isHidden: z.boolean(),
    isVerified: z.boolean(),
    tags: strings,
    owner: z.object({
      name: z.string(),
      ownerID: z.string(),
      ownerType: z.string(),
      ownerName: z.string(),
      ownerEmail: z.string(),
    }),
    lineage: z.object({ events: strings, metrics: strings }),
    team: z.string(),
    teamID: nullableText,
    unitTypes: strings,
    metricEvents: z.array(metricEvent),
    ...definition,
    ...stamps,
  })
  .meta({
    id: 'Metric',
    examples: [
      {
        id: 'Revenue::sum',
        ...example,
        isHidden: false,
        owner: {
          name: 'CONSOLE API',
          ownerID: 'root',
          ownerType: 'USER',
          ownerName: 'CONSOLE API',
          ownerEmail: '',
        },
        lineage: { events: ['purchase'], metrics: [] },
        team: '',
        teamID: null,
        metricEvents: [{ ...exampleEvent, criteria: [] }],
        metricComponentMetrics: [],
        funnelEventList: [],
        ...stampsExample,
      },
    ],
  });

export const storedMetric = metricResponse.omit({ lineage: true });

export type Metric = z.infer<typeof storedMetric>;

type Description = 'description' | 'tags' | 'owner' | 'team' | 'teamID' | `is${string}`;

/** The properties on which results depend. */
export type MetricDefinition = Omit<Metric, keyof Stamps | Description>;

const fields = z
  .object({
    name,
    description,
    tags,
    isVerified: z.boolean(),
    isReadOnly: z.boolean(),
    isPermanent: z.boolean(),
    isHidden: z.boolean(),
    warehouseNative,
    unitTypes: nameSet(limits.entries),
    team: nameInput,
    teamID: nullableName,
    directionality: direction,
    dryRun: z.boolean(),
  })
  .partial();

export const metricUpdate = fields
  .extend({ owner: z.object({ email: z.string(), ownerID: z.string() }).partial().optional() })
  .meta({ id: 'MetricUpdate', examples: [{ tags: ['core', 'finance'], isVerified: true }] });

export const metricCreate = fields
  .extend({
    name,
    type: metricType,
    metricEvents: z.array(metricEventInput).max(limits.entries).optional(),
    ...definition,
    metricComponentMetrics: definition.metricComponentMetrics.optional(),
    funnelEventList: definition.funnelEventList.optional(),
  })
  .superRefine(ownWindow)
  .meta({ id: 'MetricCreate', examples: [{ ...example, metricEvents: [exampleEvent] }] });

export const metricList = listQuery.extend({ type: repeatable(metricType) });
