import { sql } from 'drizzle-orm';
import type { Model } from '../platform/store/core/model.ts';
import { nameFields } from '../platform/store/core/name_fields.ts';
import { dependencies } from './dependencies.ts';

export const model: Model = {
  mentions: {
    fields: {
      ...nameFields,
      environment: { ...nameFields.environment, isCounted: true },
      unit_id_type: { ...nameFields.unit_id_type, builtIn: 'userID' },
      // An unregistered user may own a key: a key creates its user.
      user: { ...nameFields.user, isUnchecked: true },
    },
    opaque: new Set([
      'defaultValue',
      'fail_value',
      'json',
      'metadata',
      'parameterValues',
      'pass_value',
      'returnValue',
      'value',
    ]),
    texts: new Set(['inlineTargetingRulesJSON']),
    labels: ['tags', 'targetApps'],
  },
  registration: {
    isRequired: { table: sql.identifier('company'), column: sql.identifier('strict') },
    reason: 'the company is strict',
    optional: { kind: 'environment', table: sql.identifier('environments') },
  },
  dependencies,
  sets: new Set([
    ...Object.values(nameFields).flatMap(({ properties }) => properties),
    'actions',
    'allowedReviewers',
    'dynamicConfigIDs',
    'experimentIDs',
    'failingIDs',
    'failingUserIDs',
    'featureList',
    'gateIDs',
    'ids',
    'kinds',
    'layerIDs',
    'passingIDs',
    'passingUserIDs',
    'promptIDs',
    'scopes',
  ]),
  // Events and warehouses create metrics. Conditions on a missing group match no one; layers require theirs.
  mayDangle: ({ toKind, fromKind }) =>
    toKind === 'metric' || (toKind === 'experiment_group' && fromKind !== 'layer'),
};
