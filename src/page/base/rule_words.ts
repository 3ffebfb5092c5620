import { type conditionTypes, nulls, times } from '../../engine/evaluation/condition_table.ts';
import type { Condition, Rule } from './types.ts';
import { count, isolateText, lower, moment, percent } from './words.ts';

export const conditionNames: Record<string, string> = {
  public: 'Everyone',
  user_id: 'User ID',
  unit_id: 'Custom ID',
  email: 'Email',
  country: 'Country',
  passes_gate: 'Passes gate',
  fails_gate: 'Fails gate',
  passes_segment: 'In segment',
  fails_segment: 'Not in segment',
  experiment_group: 'Experiment group',
  custom_field: 'Custom field',
  environment_tier: 'Environment',
  target_app: 'Target app',
  app_version: 'App version',
  browser_name: 'Browser',
  browser_version: 'Browser version',
  os_name: 'Operating system',
  os_version: 'OS version',
  device_model: 'Device model',
  ip_address: 'IP address',
  locale: 'Locale',
  url: 'URL',
  user_agent: 'User agent',
  time: 'Time',
} satisfies Record<keyof typeof conditionTypes, string>;

/** Returns the name of a condition type within a sentence. */
export const typeInWords = (type: string) => lower(conditionNames[type] ?? type);

const operators: Record<string, string> = {
  any: 'is any of',
  none: 'is none of',
  str_contains_any: 'contains any of',
  str_contains_none: 'contains none of',
  str_matches: 'matches',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  version_gt: 'version >',
  version_gte: 'version ≥',
  version_lt: 'version <',
  version_lte: 'version ≤',
  on: 'on the day of',
  array_contains_any: 'has any of',
  array_contains_none: 'has none of',
  array_contains_all: 'has all of',
  not_array_contains_all: 'lacks any of',
  is_null: 'is not set',
  is_not_null: 'is set',
};

export const operatorName = (operator: string) =>
  operators[operator] ?? operator.replaceAll('_', ' ');

const timed: string[] = [...times, 'on'];

const targetsOf = ({ targetValue }: Partial<Condition>) => [targetValue ?? []].flat();

const maxValues = 6;

function targetInWords(condition: Condition, other: Partial<Condition>): string {
  if (nulls.includes(condition.operator ?? '')) return ''; // a value left from another operator is ignored
  const all = targetsOf(condition);
  const known = new Set(targetsOf(other));
  const fresh = all.filter((value) => !known.has(value));
  const named = (all.length > maxValues && fresh.length > 0 ? fresh : all).slice(0, maxValues);
  const more = all.length - named.length;
  const words = timed.includes(condition.operator ?? '')
    ? named.map(moment)
    : named.map((value) => isolateText(String(value)));
  return `${words.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

/** Returns "country is any of DE, AT". A long list is shortened to the values that `other` lacks. */
export function conditionInWords(condition: Condition, other: Partial<Condition> = {}) {
  const { type, operator = '', field, customID } = condition;
  if (type === 'public') return 'everyone';
  const what = isolateText(field ?? customID ?? typeInWords(type));
  const kind = type === 'experiment_group' ? `group of ${what}` : what;
  return [kind, operator && operatorName(operator), targetInWords(condition, other)]
    .filter(Boolean)
    .join(' ');
}

const isEveryone = (conditions: Condition[]) => conditions.every(({ type }) => type === 'public');

/** Null means all environments, and an empty list means none. */
export const environmentsInWords = (environments: Rule['environments'] = null) =>
  environments ? environments.join(', ') || 'no environment' : 'all environments';

type RuleToRead = Pick<Rule, 'passPercentage' | 'conditions'> & Partial<Pick<Rule, 'environments'>>;

/** Whether a rule has neither conditions nor environments. */
export const isOfEveryone = ({ conditions, environments }: RuleToRead) =>
  isEveryone(conditions) && !environments;

/** Returns "50% of everyone" or "100% where country is any of DE". */
export function ruleInWords({ passPercentage, conditions, environments }: RuleToRead): string {
  const who = isEveryone(conditions)
    ? 'of everyone'
    : `where ${conditions
        .filter(({ type }) => type !== 'public')
        .map((condition) => conditionInWords(condition))
        .join(' and ')}`;
  const where = environments ? `, in ${environmentsInWords(environments)}` : '';
  return `${percent(passPercentage)} ${who}${where}`;
}

/** Returns the first rule and the number of others; "no one" if there are no rules. */
export function rulesInWords([first, ...more]: Rule[]): string {
  if (!first) return 'no one';
  return `${ruleInWords(first)}${more.length > 0 ? ` + ${count(more.length, 'rule')}` : ''}`;
}

/** Whether the lift of a rule is measured: it passes some of its units, but not all. */
export const isMeasured = ({ passPercentage }: Pick<Rule, 'passPercentage'>) =>
  passPercentage > 0 && passPercentage < 100;
