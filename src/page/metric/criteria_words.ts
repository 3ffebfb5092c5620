import type { Comparison, Criterion } from './state.ts';

export const conditions: Partial<Record<Comparison, string>> = {
  in: 'is one of',
  not_in: 'is none of',
  '>': 'is over',
  '>=': 'is at least',
  '<': 'is under',
  '<=': 'is at most',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_true: 'is true',
  is_false: 'is false',
  non_null: 'is given',
  is_null: 'is missing',
};

const otherConditions: Partial<Record<Comparison, string>> = {
  '=': 'is',
  sql_filter: 'matches the SQL',
  after_exposure: 'is after the exposure',
  before_exposure: 'is before the exposure',
};

export const senderConditions = { in: 'is one of', not_in: 'is none of' };

/** Whether a criterion takes only events that servers sent. */
export const isOfServers = ({ type, condition, values = [] }: Criterion): boolean =>
  type === 'sender' &&
  (condition === 'in' || condition === '=') &&
  values.length === 1 &&
  values[0] === 'server';

const criterionSubject = ({ type = 'value', column = '' }: Criterion) =>
  type === 'value' || type === 'sender' ? type : column || '…';

const criterionInWords = (criterion: Criterion) => {
  if (isOfServers(criterion)) return 'sent by servers';
  const { condition, values = [] } = criterion;
  return [
    criterionSubject(criterion),
    conditions[condition] ?? otherConditions[condition] ?? condition,
    values.join(' or '),
  ]
    .filter(Boolean)
    .join(' ');
};

/** Describes which events count, such as "currency is one of EUR". */
export const criteriaInWords = (criteria: readonly Criterion[]) =>
  criteria.length === 0 ? 'every one' : criteria.map(criterionInWords).join(' and ');
