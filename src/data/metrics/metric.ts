import type * as z from 'zod';
import { distinct } from '../../base/distinct.ts';
import { merge, show } from '../../base/fields.ts';
import { metricID } from '../../base/naming.ts';
import type { Author } from '../../platform/store/core/author.ts';
import type { Draft } from '../../platform/store/core/transaction.ts';
import { impliedEvents, requireDefinition } from './definition.ts';
import { type Metric, type metricCreate, metricResponse, type metricUpdate } from './schema.ts';

const ownedBy = ({ id, name, email }: Author['actor']): Metric['owner'] => ({
  name,
  ownerID: id,
  ownerType: 'USER',
  ownerName: name,
  ownerEmail: email ?? '',
});

export function newMetric(body: z.infer<typeof metricCreate>, { actor }: Author): Draft<Metric> {
  const { dryRun: _dryRun, metricEvents = [], ...given } = body;
  const metric: Draft<Metric> = {
    description: '',
    directionality: 'increase',
    isVerified: false,
    isReadOnly: false,
    isPermanent: false,
    isHidden: false,
    unitTypes: ['userID'],
    tags: [],
    team: '',
    teamID: null,
    metricComponentMetrics: [],
    funnelEventList: [],
    owner: ownedBy(actor),
    ...given,
    metricEvents: metricEvents.map((event) => ({ ...event, criteria: event.criteria ?? [] })),
    id: metricID(body),
  };
  requireDefinition(metric);
  return metric;
}

type GivenOwner = z.infer<typeof metricUpdate>['owner'];

function withOwner(owner: Metric['owner'], given: NonNullable<GivenOwner>): Metric['owner'] {
  const { ownerID = owner.ownerID, email } = given;
  const isSame = ownerID === owner.ownerID;
  const ownerEmail = email ?? (isSame ? owner.ownerEmail : '');
  const isNamed = isSame && ![owner.ownerEmail, ownerID].includes(owner.ownerName);
  const ownerName = isNamed ? owner.ownerName : ownerEmail || ownerID;
  return { ...owner, ownerID, ownerEmail, ownerName, name: ownerName };
}

/** Returns a metric after a partial update; its ID follows from its name. */
export function updateMetric(metric: Metric, body: z.infer<typeof metricUpdate>): Metric {
  const { dryRun: _dryRun, owner, ...given } = body;
  const updated = merge(metric, { ...given, owner: owner && withOwner(metric.owner, owner) });
  if (given.warehouseNative !== undefined) requireDefinition(updated);
  return updated;
}

function lineageOf(metric: Metric) {
  const { metricEvents, funnelEventList, metricComponentMetrics } = metric;
  const events = [...metricEvents, ...funnelEventList].map(({ name }) => name);
  return {
    events: distinct([...events, ...impliedEvents(metric)]),
    metrics: distinct(metricComponentMetrics.map(metricID)),
  };
}

export const viewMetric = (metric: Metric): z.infer<typeof metricResponse> =>
  show(metricResponse, metric, { lineage: lineageOf(metric) });
