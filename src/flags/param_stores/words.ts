import { describe } from '../../platform/openapi/words/describe.ts';
import { parameter, storeCreate, storePatch, storeResponse, storeUpdate } from './schema.ts';

describe([storeResponse, storeCreate, storePatch, storeUpdate], {
  name: 'The name that apps request.',
  displayName: 'The display name.',
  targetAppIDs: 'The target apps that receive it.',
  parameters: 'The parameters, by the name that apps request.',
});

describe(parameter, {
  name: 'The name that apps request.',
  param_type: 'The type of its values.',
  ref_type: 'The source of its value.',
  gate_name: 'The gate that decides.',
  pass_value: 'The value for units that pass.',
  fail_value: 'The value for units that fail.',
  layer_name: 'The layer of the value.',
  param_name: 'The parameter of the value.',
  config_name: 'The dynamic config of the value.',
  experiment_name: 'The experiment of the value.',
});
