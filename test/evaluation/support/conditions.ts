import type { ConditionEntity } from '../../../src/engine/evaluation/entities.ts';
import { agents } from './agents.ts';

/** Target values by operator. Each matches some users and not others. */
const texts: Record<string, ConditionEntity['targetValue']> = {
  any: [
    ...['Alpha', 'beta', 'u-3', 'C-3', 'c-4', 'en_us', 'ALPHA@example.com', 'Beta@example.com'],
    ...['https://example.com/Gamma', agents[0].toLowerCase()],
  ],
  none: [
    ...['alpha', 'Beta', 'u-4', 'c-5', 'C-6', 'de_DE', 'alpha@test.org', 'beta@test.org'],
    ...['https://example.com/gamma', agents[1].toUpperCase()],
  ],
  str_contains_any: ['LPHA', 'u-1', 'c-1', 'en_', 'chrome'],
  str_contains_none: ['eps', 'U-2', 'C-3', 'DE_', 'Firefox'],
  str_matches: '^[a-dUM]|[0-4]$|gamma$',
  is_null: undefined,
  is_not_null: undefined,
};

const lists = (...target: (string | number)[]) => ({ any: target, none: target.slice(0, 1) });

const versions = {
  version_gt: '2.0',
  version_gte: '10.15.7',
  version_lt: '16.2.1',
  version_lte: '16.2',
};

const time = Date.UTC(2026, 5, 15, 12);
const someTime = { before: time, after: time };
const withoutNulls = Object.fromEntries(
  Object.entries(texts).filter(([operator]) => !operator.startsWith('is_')),
);

const elements = {
  array_contains_any: ['red', 'blue'],
  array_contains_none: ['red', 'Blue'],
  array_contains_all: ['red', 'green'],
  not_array_contains_all: ['red', 'green'],
};

/** Additional properties of a condition type, and a target value for each operator. */
interface Row {
  more?: Partial<ConditionEntity>;
  operators: Record<string, ConditionEntity['targetValue']>;
}

const custom = (field: string, operators: Row['operators']): [string, Row] => [
  'custom_field',
  { more: { field }, operators },
];

/** Every condition type that compares a value, with its operators. */
const rows: [string, Row][] = [
  ['user_id', { operators: texts }],
  ['unit_id', { more: { customID: 'companyID' }, operators: texts }],
  ['email', { operators: withoutNulls }],
  ['device_model', { operators: withoutNulls }],
  ['url', { operators: withoutNulls }],
  ['locale', { operators: withoutNulls }],
  ['user_agent', { operators: withoutNulls }],
  custom('plan', texts),
  custom('Age', { any: [18, 42], none: [18], gt: 30, gte: '30', lt: 30.5, lte: 30 }),
  custom('release', versions),
  custom('joined', { ...someTime, on: time }),
  custom('labels', elements),
  custom('isStaff', { any: ['true'], none: ['TRUE'] }),
  ['app_version', { operators: { ...lists('1.2.3', '2.0'), ...versions } }],
  ['browser_version', { operators: { ...lists('120.0.0.0', '16.2'), ...versions } }],
  ['os_version', { operators: { ...lists('10', '13'), ...versions } }],
  ['browser_name', { operators: lists('chrome', 'Mobile Safari') }],
  ['os_name', { operators: lists('mac os x', 'Android') }],
  ['country', { operators: lists('de', 'FR') }],
  ['ip_address', { operators: lists('203.0.113.7', '2001:DB8:0::1') }],
  ['environment_tier', { operators: lists('Production', 'staging') }],
  ['target_app', { operators: lists('web', 'ios') }],
  ['time', { operators: { before: Date.UTC(2020, 0), after: Date.UTC(2020, 0) } }],
];

/** Every condition × operator that compares a value, by name. */
export const comparisons: [string, ConditionEntity][] = rows.flatMap(
  ([type, { more, operators }]) =>
    Object.entries(operators).map(([operator, targetValue]): [string, ConditionEntity] => {
      const target = targetValue === undefined ? {} : { targetValue };
      const name = ['c', type, more?.field ?? more?.customID, operator].filter(Boolean).join('_');
      return [name, { type, operator, ...more, ...target }];
    }),
);
