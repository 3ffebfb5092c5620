import type { Criterion } from './state.ts';

type Condition = Criterion['condition'];

export const conditions: Partial<Record<Condition, string>> = {
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

const otherConditions: Partial<Record<Condition, string>> = {
  '=': 'is',
  sql_filter: 'matches the SQL',
  after_exposure: 'is after the exposure',
  before_exposure: 'is before the exposure',
};

const criterionSubject = ({ type = 'value', column = '' }: Criterion) =>
  type === 'value' ? 'value' : column || '…';

const criterionInWords = (criterion: Criterion) => {
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
