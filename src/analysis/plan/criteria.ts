import { type SQL, sql } from 'drizzle-orm';
import { hasControls } from '../../base/fields.ts';
import { maxMagnitude } from '../../base/limits.ts';
import { numberOf } from '../../base/numbers.ts';
import { type Criterion, NotComputable } from './plan.ts';

// Aliases: `x` is the exposed unit, `e` its row in event_units, `v` the event.

const jsonPath = (key: string) => `$."${key}"`;

/** Refuses a key that no path into JSON can name. @throws NotComputable */
export function requirePathKey(subject: string, key: string): void {
  if (/["\\]/.test(key))
    throw new NotComputable(`The ${subject} ${key} has a quotation mark or a backslash.`);
  if (hasControls(key)) throw new NotComputable(`The name of a ${subject} has control characters.`);
}

const metadataAt = (key: string): SQL => sql`v.metadata ->> ${jsonPath(key)}`;

/** SQLite reads true as 1, and the criteria compare texts. */
const textAt = (json: SQL, key: string): SQL =>
  sql`iif(json_type(${json}, ${jsonPath(key)}) in ('true', 'false'), ${json} -> ${jsonPath(key)}, cast(${json} ->> ${jsonPath(key)} as text))`;

/** The largest number of an event: the statistics use higher powers, which must stay finite. */
const maxNumber = sql.raw(String(maxMagnitude).replace('+', ''));

/** Returns a number, or null if it is too large for the statistics. */
export const boundedNumber = (number: SQL) =>
  sql<number | null>`iif(abs(${number}) <= ${maxNumber}, ${number}, null)`;

export const eventNumber = boundedNumber(sql`e.number`);

/** Reads a number as `shared/numbers.ts` does: SQLite compares a text with a real only if all of it is a number. */
export const metadataNumber = (key: string): SQL<number | null> => {
  const value = metadataAt(key);
  return sql<
    number | null
  >`iif(json_type(v.metadata, ${jsonPath(key)}) in ('integer', 'real', 'text')
    and cast(${value} as real) = ${value} and abs(cast(${value} as real)) <= ${maxNumber},
    cast(${value} as real), null)`;
};

/** The text of a metadata value; null if it is missing. */
export const metadataText = (key: string): SQL => textAt(sql`v.metadata`, key);

interface Operand {
  text: SQL;
  number: SQL;
  needsEvent: boolean;
}

const numberOfText = (text: SQL): SQL =>
  sql`iif(cast(${text} as real) = ${text}, cast(${text} as real), null)`;

function userField(column: string): SQL {
  if (column.toLowerCase() === 'userid') return sql`nullif(v.userID, '')`;
  if (column === 'source') return sql`nullif(v.source, '')`;
  return sql`(select id.value from json_each(v.unitIDs) id where lower(id.key) = lower(${column}))`;
}

function operandOf({ type = 'value', column = '' }: Criterion): Operand {
  if (type === 'value')
    return { text: sql`nullif(v.value, '')`, number: sql`e.number`, needsEvent: true };
  if (type === 'metadata')
    return { text: metadataText(column), number: metadataNumber(column), needsEvent: true };
  if (type === 'sender') return { text: sql`v.sender`, number: sql`null`, needsEvent: true };
  const text = type === 'user' ? userField(column) : textAt(sql`x.attributes`, column);
  return { text, number: numberOfText(text), needsEvent: type === 'user' };
}

const list = (values: readonly string[]): SQL =>
  sql`(select value from json_each(${JSON.stringify(values)}))`;

type CriterionSQL = (operand: Operand, values: readonly string[]) => SQL;

const anyText =
  (test: (text: SQL, value: SQL) => SQL): CriterionSQL =>
  ({ text }, values) =>
    sql`exists (select 1 from json_each(${JSON.stringify(values)}) w where ${test(text, sql`w.value`)})`;

const numeric =
  (operator: SQL): CriterionSQL =>
  ({ number }, [value]) =>
    sql`${number} ${operator} ${numberOf(value)}`;

const isContained = anyText((text, value) => sql`instr(${text}, ${value}) > 0`);

/** The conditions on events. A missing value makes each null, which fails. */
const tests: Partial<Record<Criterion['condition'], CriterionSQL>> = {
  '=': ({ text }, [value]) => sql`${text} = ${value}`,
  in: ({ text }, values) => sql`${text} in ${list(values)}`,
  not_in: ({ text }, values) => sql`${text} not in ${list(values)}`,
  '>': numeric(sql`>`),
  '<': numeric(sql`<`),
  '>=': numeric(sql`>=`),
  '<=': numeric(sql`<=`),
  contains: isContained,
  not_contains: (operand, values) =>
    sql`${operand.text} is not null and not ${isContained(operand, values)}`,
  starts_with: anyText((text, value) => sql`substr(${text}, 1, length(${value})) = ${value}`),
  ends_with: anyText((text, value) => sql`substr(${text}, -length(${value})) = ${value}`),
  is_true: ({ text }) => sql`${text} = 'true'`,
  is_false: ({ text }) => sql`${text} = 'false'`,
  is_null: ({ text }) => sql`${text} is null`,
  non_null: ({ text }) => sql`${text} is not null`,
};

const byTime: Partial<Record<Criterion['condition'], SQL>> = {
  after_exposure: sql`e.timestamp >= x.t`,
  before_exposure: sql`e.timestamp < x.t`,
};

const comparesNumbers: ReadonlySet<Criterion['condition']> = new Set(['>', '<', '>=', '<=']);
const needsNoValue: ReadonlySet<Criterion['condition']> = new Set([
  'is_true',
  'is_false',
  'is_null',
  'non_null',
]);

/** @throws NotComputable naming what a criterion needs and events do not have */
export function requireComputable(criterion: Criterion, dimensions: readonly string[]): void {
  const { type = 'value', condition, column = '', values = [] } = criterion;
  if (byTime[condition]) return;
  if (!tests[condition]) throw new NotComputable(`The condition ${condition} needs a warehouse.`);
  if (type !== 'value' && type !== 'sender' && column === '')
    throw new NotComputable(`A criterion on ${type} names no column.`);
  requirePathKey('column', column);
  if (type === 'user_custom' && !dimensions.includes(column))
    throw new NotComputable(`The attribute ${column} is not stored with exposures.`);
  if (comparesNumbers.has(condition) && numberOf(values[0]) === undefined)
    throw new NotComputable(`The condition ${condition} needs a number.`);
  if (!needsNoValue.has(condition) && values.length === 0)
    throw new NotComputable(`The condition ${condition} needs a value.`);
}

/** Returns the condition of a criterion on one event. */
export function criterionSQL(criterion: Criterion): SQL {
  const { condition, values = [], nullVacuousOverride } = criterion;
  const time = byTime[condition];
  if (time) return time;
  const operand = operandOf(criterion);
  const test = tests[condition]?.(operand, values) ?? sql`false`;
  if (!nullVacuousOverride || condition === 'is_null') return sql`(${test})`;
  return sql`(${operand.text} is null or ${test})`;
}

/** Whether a criterion needs the row of the event, beyond its time and number. */
export const needsEvent = (criterion: Criterion): boolean => {
  if (byTime[criterion.condition]) return false;
  const isNumber = comparesNumbers.has(criterion.condition) && !criterion.nullVacuousOverride;
  if ((criterion.type ?? 'value') === 'value' && isNumber) return false;
  return operandOf(criterion).needsEvent;
};
