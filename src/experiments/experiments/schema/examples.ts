import { stampsExample } from '../../../base/fields.ts';
import { settingDefaults } from './settings.ts';

export const example = {
  name: 'Checkout button',
  description: 'Does a green button sell more?',
  idType: 'userID',
  targetApps: [],
  holdoutIDs: [],
  tags: ['checkout'],
  status: 'setup',
  experimentType: 'BASE',
  launchedGroupID: null,
  startTime: null,
  endTime: null,
  decisionTime: null,
  layerID: null,
  hypothesis: 'A green button is seen sooner.',
  primaryMetrics: [{ name: 'purchases', type: 'event_count_custom' }],
  secondaryMetrics: [],
  primaryMetricTags: [],
  secondaryMetricTags: [],
  groups: ['Control', 'Test'].map((group) => ({
    name: group,
    id: group.toLowerCase(),
    size: 50,
    parameterValues: { green: group === 'Test' },
    description: '',
    disabled: false,
  })),
  allocation: 100,
  duration: 14,
  targetingGateID: '',
  defaultConfidenceInterval: '95',
  bonferroniCorrection: false,
  decisionReason: null,
  healthCheckStatus: 'WAITING',
  isStale: false,
  inlineTargetingRulesJSON: '[]',
  owner: { ownerType: 'USER', ownerName: 'CONSOLE API' },
  ...stampsExample,
  id: 'checkout_button',
  ...settingDefaults,
  controlGroupID: 'control',
  teamID: null,
  scheduledStartTime: null,
  manualQualityScores: [
    {
      criteriaName: 'SEQUENTIAL_TESTING',
      status: 'FAILED',
      criteriaDescription: 'Sequential testing is off, so that early looks at the results mislead.',
      score: 0,
      weight: 100,
    },
  ],
};

export const healthChecksExample = [
  {
    name: 'Exposures',
    status: 'WAITING',
    description: 'No exposures have been recorded for this experiment.',
  },
];
