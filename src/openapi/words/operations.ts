/** Descriptions shared by operations of one pattern: by method and end of the path. The first match wins. */
export const recipes: [method: string, path: RegExp, words: string][] = [
  [
    'GET',
    /\/versions\/:version$/,
    'The whole entity at that version, and the change of each property; `compareTo` names another version to compare with.',
  ],
  [
    'PUT',
    /\/restore$/,
    'Makes that state the newest version, even after a deletion. References are checked again: 400 if one is missing.',
  ],
  [
    'GET',
    /\/versions$/,
    'Newest first: author, time and changed properties. Deleting an entity keeps its history.',
  ],
  [
    'GET',
    /\/references$/,
    'Up to 1,000 of each; `more` reports whether there are more. An entity with dependents cannot be deleted.',
  ],
  ['GET', /_references$/, 'Newest first. A referenced gate is archived only by force.'],
  ['GET', /\/overrides$/, 'Units with a fixed result, regardless of the rules.'],
  [
    'POST',
    /\/overrides$/,
    'Replaces all overrides. A unit may be in only one list, 400 otherwise.',
  ],
  [
    'PATCH',
    /\/overrides$/,
    'Adds to the overrides. A unit may be in only one list, 400 otherwise.',
  ],
  [
    'DELETE',
    /\/overrides$/,
    'Removes the overrides in the body, or all without a body; returns the number removed.',
  ],
  ['GET', /\/rules$/, 'In order of evaluation.'],
  ['POST', /\/rules$/, 'Adds it at `position`, from 0, or last; returns the whole entity.'],
  ['PATCH', /\/rules\/:ruleID$/, 'Absent properties stay unchanged; returns the whole entity.'],
  ['DELETE', /\/rules\/:ruleID$/, 'The others keep their order; returns the whole entity.'],
  ['PUT', /\/enable$/, 'Its rules decide from now on.'],
  ['PUT', /\/disable$/, 'The rules are kept, but not evaluated until it is enabled.'],
  ['PUT', /\/launch$/, 'The rules are kept, but not evaluated until it is enabled again.'],
  ['PUT', /\/archive$/, 'Lists omit it by default. 409 while it is in use.'],
  ['PUT', /\/unarchive$/, 'Restores the status before archiving.'],
  [
    'GET',
    /\/(tags|teams|target_apps|unit_id_types|users)$/,
    'By name: registered names and names that entities use, each with its number of uses.',
  ],
  [
    'PATCH',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    'A new name replaces the old one in all entities at once. An unregistered name is registered.',
  ],
  [
    'DELETE',
    /\/(tags|teams|target_apps|unit_id_types|users)\/:id$/,
    '409 with the dependents, while there are any.',
  ],
  [
    'GET',
    /\/(:id|company|wh_connections)$/,
    'The version is the ETag; 304 if If-None-Match has that version.',
  ],
  [
    'POST',
    /\/:id$/,
    'Absent properties of the body are reset to defaults. Without changes, no version is created.',
  ],
  [
    'PATCH',
    /\/(:id|wh_connections|company|conditional)$/,
    'Absent properties stay unchanged; null clears nullable ones. Without changes, no version is created.',
  ],
  ['POST', /\/conditional$/, 'An alias of PATCH. Without changes, no version is created.'],
  [
    'DELETE',
    /\/:id$/,
    '409 while it is referenced. Its history is kept, and each version can be restored.',
  ],
  ['GET', /./, 'Newest first, filtered by the query; `pagination` links to the other pages.'],
  ['POST', /./, 'Returns the new entity, with its path in Location; 409 if the ID is taken.'],
];

export const single: Record<string, string> = {
  post_evaluate:
    'Each rule, with the value that each condition used. Nothing is changed or counted.',
  post_changes:
    'Up to 50 changes, each with method, path, headers and body; later ones may refer to entities that earlier ones create. If one fails, its error is returned with its `index`, and nothing is stored.',
  get_export:
    'One line per entity, kind by kind, then `end`. Without secrets; `history` adds the history.',
  post_import:
    'Accepts unchanged lines of an export and responses of lists. IDs are kept, and entities may be in any order. Each thousand is stored in full or not at all; the report lists refused entities.',
  get_audit_logs:
    'The history of all entities, filtered by kind, ID, action, actor, time or request.',
  post_experiments_id_restart_as_new:
    'Copies the experiment, except IDs, times, status, decision and overrides, into a new one in setup.',
  put_experiments_id_start:
    'From setup to active: sets `startTime` to now or to an earlier time, and takes buckets of its layer. 409 if it has already started.',
  put_experiments_id_schedule_start:
    'Until then it stays in setup; null cancels. If the start fails, it is retried each minute.',
  put_experiments_id_enable_groups: 'In setup and while it runs.',
  put_experiments_id_disable_groups: 'In setup and while it runs; one group must stay enabled.',
  put_experiments_id_reset:
    'Back to setup from any later stage: times, decision and buckets are cleared.',
  put_experiments_id_archive: 'Unless active. No new references to it are allowed.',
  put_experiments_id_stop: 'Sets `endTime` and the reason. A decision can follow.',
  put_experiments_id_abandon: 'Ends it without a decision; stores the reason.',
  put_experiments_id_stop_assignment: 'No new units are assigned. A decision can follow.',
  put_experiments_id_make_decision:
    'Sets `launchedGroupID`, reason and time; group and reason can be changed until a reset.',
  put_autotunes_id_start: 'From setup to active; its variants are then locked.',
  put_autotunes_id_reset: 'Back to setup: learned results and the decision are cleared.',
  put_autotunes_id_make_decision: 'Sets `decidedVariant`, the reason and the time, until a reset.',
  get_layers_id_experiments: 'Newest first; a layer with experiments cannot be deleted.',
  get_segments_id_id_list: 'All at once, or one page if `page` or `limit` is given.',
  patch_segments_id_id_list: 'Adds `ids` and `add`; removes `remove`.',
  get_metrics_values: 'For a `date`, or from `startDate` to `endDate`: the newest day first.',
  post_metrics_values:
    'Up to 1,000 rows of a day; a row with the same metric and ID type replaces the earlier one.',
  delete_metrics_values: 'Removes the rows of all ID types; returns their number.',
  post_metrics_id:
    'Absent properties stay unchanged. A new name changes the ID; the old ID returns 404 with the new one.',
  post_events: 'Up to 1,000 at once; returns the number accepted.',
  post_exposures: 'Up to 1,000 at once, counted like exposures of SDKs: each unit once.',
  patch_ingestion:
    'Changes the source with this dataset, type and name, or creates it. Returns it without an envelope.',
  delete_ingestion: 'The query names the source.',
  post_release_pipeline_triggers:
    'The first phase begins at once, or waits for its review. 409 during another release of the entity.',
  put_release_pipeline_triggers_id_pause:
    '`phaseID` must be the current phase, 409 otherwise. The remaining wait is kept.',
  put_release_pipeline_triggers_id_unpause:
    '`phaseID` must be the current phase of a paused release, 409 otherwise. The remaining wait continues.',
  put_release_pipeline_triggers_id_skip:
    '`phaseID` must be the current phase, 409 otherwise. After the last phase the release is complete.',
  put_release_pipeline_triggers_id_approve: '`phaseID` must be the waiting phase, 409 otherwise.',
  put_release_pipeline_triggers_id_rollout: 'Completes the release; skips the phases in between.',
  put_release_pipeline_triggers_id_abort:
    'Returns the rollback, and the manual edits since the start.',
  get_environments:
    'Three by default. Each with its number of uses; includes environments that are only used.',
  post_environments: 'Replaces all environments; 409 if this would remove one in use.',
  get_keys: 'Newest first, without the keys themselves, which are stored as hashes.',
  post_keys:
    'A key cannot grant scopes that its creator lacks. Returns the key, which is not stored.',
  patch_keys_id_rotate:
    'The old key ends at once; name, scopes and expiry stay. Returns the new key, which is not stored.',
  patch_keys_id_deactivate: 'It is refused from now on (401).',
  delete_experiments_id:
    '409 while it is active, unless `force` is set, or while it is referenced. Its history is kept, and each version can be restored.',
  delete_keys_id: 'It is refused from now on (401), and cannot be restored.',
  put_keys_id_versions_version_restore:
    'Restores name, owner, scopes and expiry, but not the key itself or its activation.',
  delete_release_pipeline_triggers_id: 'The release must have ended: 409 otherwise.',
  post_webhooks:
    'The URL must be https and public. Deliveries are signed per Standard Webhooks, with the secret in the response.',
  get_webhooks_id_deliveries: 'The last 30 days, with status and response.',
  put_webhooks_id_deliveries_deliveryID_resend:
    'Restarts its attempts, under the same `webhook-id`.',
};
