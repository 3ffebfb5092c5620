import { describe } from '../../platform/openapi/words/describe.ts';
import { loadBody, pulseLoad } from './loading_schema.ts';

describe(loadBody, {
  refresh: 'All days, the days without results (the default), or all days of `metricIDs`.',
  metricIDs: 'The metrics to load, with refresh `metric`.',
});

describe(pulseLoad, {
  creatorName: 'Who started the load.',
  createdTime: 'When it was started, in epoch milliseconds.',
  finishedTime: 'Null while it is under way.',
  finishedState: 'How it ended; null while it is under way.',
  startDs: 'The first day (UTC); null if no day is loaded.',
  endDs: 'The last day (UTC).',
  reloadType: 'All days, days without results, or some metrics.',
  turboMode: 'The setting of the experiment.',
});
