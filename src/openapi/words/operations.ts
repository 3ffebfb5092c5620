/** What the operations of the same kind do, beyond their summary: by method, and how the path ends. The first that fits counts. */
export const recipes: [method: string, path: RegExp, words: string][] = [
  [
    'GET',
    /\/versions\/:version$/,
    'The whole entity as it was then, and what the change did to each property; `compareTo` names another version to compare with.',
  ],
  [
    'PUT',
    /\/restore$/,
    'Makes the state of that version the newest one, also after a deletion. What it refers to is checked anew: 400 where that is gone.',
  ],
  [
    'GET',
    /\/versions$/,
    'Newest first: who changed what and when, property by property. History stays after a deletion.',
  ],
  [
    'GET',
    /\/references$/,
    'Up to a thousand of each; `more` says that there is more. While something names it, it cannot be deleted.',
  ],
  ['GET', /_references$/, 'Newest first. While there are any, the gate is archived by force only.'],
  ['GET', /\/overrides$/, 'Units that are decided for by name, whatever the rules say.'],
  [
    'POST',
    /\/overrides$/,
    'Puts what the body holds in place of what there is. A unit stands on one side only: 400 otherwise.',
  ],
  [
    'PATCH',
    /\/overrides$/,
    'Adds what the body holds to what there is. A unit stands on one side only: 400 otherwise.',
  ],
  [
    'DELETE',
    /\/overrides$/,
    'Removes what the body names, or all without a body; answers how many went.',
  ],
  ['GET', /\/rules$/, 'In the order in which they are tried.'],
  ['POST', /\/rules$/, 'Adds it at `position`, from 0, or last; answers the whole entity.'],
  [
    'PATCH',
    /\/rules\/:ruleID$/,
    'What is absent of the rule stays as it is; answers the whole entity.',
  ],
  ['DELETE', /\/rules\/:ruleID$/, 'The others keep their order; answers the whole entity.'],
  ['PUT', /\/enable$/, 'From now on its rules decide.'],
  ['PUT', /\/disable$/, 'The rules stay, and are asked no more until it is enabled.'],
  ['PUT', /\/launch$/, 'The rules stay, and are asked no more until it is enabled again.'],
  [
    'PUT',
    /\/archive$/,
    'Lists leave it out from now on, unless they are asked for it. 409 while it is in use.',
  ],
  ['PUT', /\/unarchive$/, 'It is again what it was when it was archived.'],
  [
    'GET',
    /\/(tags|teams|target_apps|unit_id_types|users)$/,
    'By name: those that are registered, and those that entities only use, each with how many use it.',
  ],
  [
    'PATCH',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    'Another name is put in place of it in all entities, as one. One that is only used is registered by this.',
  ],
  [
    'DELETE',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    '409 that names what uses it, while anything does.',
  ],
  [
    'GET',
    /\/(:id|company|wh_connections)$/,
    'Answers it with its version as ETag; 304 where If-None-Match has that version already.',
  ],
  [
    'POST',
    /\/:id$/,
    'What the body can hold and does not goes back to its default. What changes nothing makes no version.',
  ],
  [
    'PATCH',
    /\/(:id|wh_connections|company|conditional)$/,
    'What is absent stays as it is; null clears what can be cleared. What changes nothing makes no version.',
  ],
  [
    'POST',
    /\/conditional$/,
    'The same as PATCH, for clients that send it so. What changes nothing makes no version.',
  ],
  [
    'DELETE',
    /\/:id$/,
    '409 while something refers to it. Its history stays, and a version of it can be restored.',
  ],
  [
    'GET',
    /./,
    'Newest first, what fits the query; the links of `pagination` lead to the other pages.',
  ],
  ['POST', /./, 'Answers what was made, with its path in Location; 409 where the id is taken.'],
];

/** What single operations do, beyond their summary. */
export const single: Record<string, string> = {
  post_evaluate:
    'Each rule, with the value that each condition saw. It changes and counts nothing.',
  post_changes:
    'Up to 50 changes, each with method, path, headers and body; later ones may name what earlier ones make. A failure is that of the first change that failed, with its `index`, and nothing is stored.',
  get_export:
    'One line for each entity, kind by kind, then `end`. Without secrets, and with `history` the history too.',
  post_import:
    'Takes lines of an export as they are, and answers of lists; ids are kept, the order is worked out. All or nothing for each thousand; the report names what was refused, and why.',
  get_audit_logs:
    'The history of everything, filtered by kind, id, action, actor, time or request.',
  post_experiments_id_restart_as_new:
    'Copies all but ids, times, status, decision and overrides into a new experiment in setup. The original stays as it is.',
  put_experiments_id_start:
    'From setup to active: sets `startTime`, and takes buckets of its layer. 409 where it has already started.',
  put_experiments_id_schedule_start:
    'Until then it stays in setup; null takes the time back. One that cannot start then is tried again each minute.',
  put_experiments_id_enable_groups: 'In setup and while it runs.',
  put_experiments_id_disable_groups: 'In setup and while it runs; one group stays enabled.',
  put_experiments_id_reset:
    'Back to setup from any later stage: times, decision and buckets are cleared.',
  put_experiments_id_archive: 'Any but an active one. Nothing new may refer to it.',
  put_experiments_id_stop: 'Sets `endTime`, and says why. A decision can follow.',
  put_experiments_id_abandon: 'Ends it without a decision, and says why.',
  put_experiments_id_stop_assignment: 'Nobody new takes part. A decision can follow.',
  put_experiments_id_make_decision:
    'Sets `launchedGroupID`, the reason and the time; group and reason can be corrected until a reset.',
  put_autotunes_id_start: 'From setup to active; its variants are locked from then on.',
  put_autotunes_id_reset: 'Back to setup: what was learned and decided is cleared.',
  put_autotunes_id_make_decision: 'Sets `decidedVariant`, the reason and the time, until a reset.',
  get_layers_id_experiments: 'Newest first; while there are any, the layer cannot be deleted.',
  get_segments_id_id_list: 'All of them at once, or a page where `page` or `limit` is given.',
  patch_segments_id_id_list:
    '`ids` are added like those of `add`; those of `remove` are taken away.',
  get_metrics_values: 'Of a `date`, or from `startDate` to `endDate`: the newest day first.',
  post_metrics_values:
    'Up to 1,000 rows of a day; a row of the same metric and unit type replaces the earlier one.',
  delete_metrics_values: 'The rows of all unit types go; answers how many.',
  post_metrics_id:
    'What is absent stays as it is. Another name is another id; the old one answers 404 with the new.',
  post_events: 'Up to 1,000 at once; answers how many were taken.',
  post_exposures: 'Up to 1,000 at once, which count like those of SDKs: each unit once.',
  patch_ingestion:
    'The source of this dataset, type and name; where there is none it is made. Answers it without an envelope.',
  delete_ingestion: 'The source is named by the query.',
  post_release_pipeline_triggers:
    'The first phase begins at once, or waits for its review. 409 while another release of it goes on.',
  put_release_pipeline_triggers_id_pause:
    '`phaseID` must be the current phase, 409 otherwise. What is left of its wait is kept.',
  put_release_pipeline_triggers_id_unpause:
    '`phaseID` must be the current phase of a paused release, 409 otherwise. What was left of its wait goes on.',
  put_release_pipeline_triggers_id_skip:
    '`phaseID` must be the current phase, 409 otherwise. After the last phase the release is complete.',
  put_release_pipeline_triggers_id_approve:
    '`phaseID` must be the phase that waits, 409 otherwise.',
  put_release_pipeline_triggers_id_rollout:
    'The release is complete with this; phases between are left out.',
  put_release_pipeline_triggers_id_abort:
    'Answers what is taken back, and what was edited by hand since the start.',
  get_environments:
    'Three before any are set. Each with how many entities name it, also those that are only named.',
  post_environments:
    'Puts these in place of all there are; 409 where one that is named anywhere would go.',
  get_keys: 'Newest first, without the keys themselves, which are kept as hashes.',
  post_keys: 'A key gives no scope that its maker lacks. Answers the key, which is not kept.',
  patch_keys_id_rotate:
    'The old key ends at once; name, scopes and expiry stay. Answers the new key, which is not kept.',
  patch_keys_id_deactivate: 'From now on it is refused (401).',
  delete_experiments_id:
    '409 while it is active, unless by `force`, or something refers to it. Its history stays, and a version of it can be restored.',
  delete_keys_id: 'It is refused from now on (401), and cannot be restored.',
  put_keys_id_versions_version_restore:
    'Brings back name, owner, scopes and expiry; the key itself, and whether it is active, stay as they are.',
  delete_release_pipeline_triggers_id: 'One that has ended: 409 otherwise.',
  post_webhooks:
    'The URL must be https, and of no private network. Deliveries are signed as Standard Webhooks says, by the secret in the answer.',
  get_webhooks_id_deliveries: 'For 30 days, with how each stands and what was answered.',
  put_webhooks_id_deliveries_deliveryID_resend:
    'Begins anew with its attempts, under the same `webhook-id`.',
};
