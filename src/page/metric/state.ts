import type { Metric, MetricReference } from '../base/types.ts';

export type Criterion = Metric['metricEvents'][number]['criteria'][number];

export type Measure = Metric['metricEvents'][number]['type'];

export const measures: Record<Measure, string> = {
  count: 'times',
  count_distinct: 'days',
  value: 'its value',
  metadata: 'its metadata',
};

export type Comparison = Criterion['condition'];

export interface EventRow {
  name: string;
  measure: Measure;
  key: string;
  criteria: Criterion[];
}

export type Card = 'events' | 'users' | 'number' | 'ratio' | 'funnel' | 'composite';

export type How =
  | 'times'
  | 'different'
  | 'did'
  | 'back'
  | 'sum'
  | 'mean'
  | 'percentile'
  | 'max'
  | 'min'
  | 'first_value'
  | 'latest_value'
  | 'events'
  | 'metrics'
  | 'users'
  | 'composite'
  | 'composite_sum';

export interface Treated {
  window: 'max' | 'daily' | 'custom';
  from: unknown;
  to: unknown;
  capped: unknown;
  pastDays: unknown;
}

export interface MetricDraft extends Treated {
  name: string;
  description: string;
  directionality: Metric['directionality'];
  unitType: string;
  card: Card;
  how: How;
  rows: EventRow[];
  components: MetricReference[];
  percentile: unknown;
  backAfter: unknown;
  within: unknown;
  isOrdered: boolean;
  startsAtExposure: boolean;
}

/** A draft, and how a part of the builder changes it. */
export interface DraftEditing {
  draft: MetricDraft;
  set: (edits: Partial<MetricDraft>) => void;
}

const eventRow = (measure: Measure = 'count'): EventRow => ({
  name: '',
  measure,
  key: '',
  criteria: [],
});

export const newRow = ({ card }: Pick<MetricDraft, 'card'>): EventRow =>
  eventRow(card === 'number' ? 'value' : 'count');

const firstHow: Record<Card, How> = {
  events: 'times',
  users: 'did',
  number: 'sum',
  ratio: 'events',
  funnel: 'users',
  composite: 'composite_sum',
};

const minRows: Record<Card, number> = {
  events: 1,
  users: 1,
  number: 1,
  ratio: 2,
  funnel: 2,
  composite: 0,
};

/** How many rows a card has at least. */
export const fewestRows = ({ card }: Pick<MetricDraft, 'card'>): number => minRows[card];

/** Returns a draft with another card, which keeps the names and conditions of events. */
export function withCard(draft: MetricDraft, card: Card): MetricDraft {
  const fresh = newRow({ card });
  const kept = draft.rows.map((row) => ({ ...row, measure: fresh.measure }));
  const missing = Math.max(0, minRows[card] - kept.length);
  const rows = [...kept, ...Array.from({ length: missing }, () => fresh)];
  return {
    ...draft,
    ...{ card, how: firstHow[card] },
    rows: card === 'ratio' ? rows.slice(0, 2) : rows,
  };
}

export const newDraft: MetricDraft = {
  name: '',
  description: '',
  directionality: 'increase',
  unitType: 'userID',
  card: 'events',
  how: 'times',
  rows: [eventRow()],
  components: [],
  percentile: 50,
  backAfter: 7,
  within: '',
  isOrdered: true,
  startsAtExposure: false,
  window: 'max',
  from: 0,
  to: 6,
  capped: 0.1,
  pastDays: 7,
};
