/** The tag of the operations that are most asked for. */
export const essentialTag = {
  name: 'essentials',
  description:
    'The operations that are most asked for: enough for an assistant, which serves few tools well.',
};

/** The ids of these operations. */
export const essentials: ReadonlySet<string> = new Set([
  'post_evaluate',
  'post_changes',
  'get_audit_logs',
  'get_gates',
  'post_gates',
  'get_gates_id',
  'patch_gates_id',
  'put_gates_id_enable',
  'put_gates_id_disable',
  'put_gates_id_archive',
  'post_gates_id_rules',
  'patch_gates_id_rules_ruleID',
  'get_gates_id_references',
  'get_dynamic_configs',
  'post_dynamic_configs',
  'get_dynamic_configs_id',
  'patch_dynamic_configs_id',
  'get_experiments',
  'post_experiments',
  'get_experiments_id',
  'patch_experiments_id',
  'put_experiments_id_start',
  'put_experiments_id_stop',
  'put_experiments_id_make_decision',
  'get_layers',
  'get_segments',
  'get_segments_id',
  'patch_segments_id_id_list',
  'get_metrics',
  'get_release_pipeline_triggers',
]);
