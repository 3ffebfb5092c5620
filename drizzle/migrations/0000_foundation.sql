CREATE TABLE `actors` (
	`name` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`name`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `actors_id` ON `actors` (`id`);--> statement-breakpoint
CREATE TABLE `anchors` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `guard` (
	`reason` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `labels` (
	`kind` text NOT NULL,
	`label` text NOT NULL,
	`value` text NOT NULL,
	`hidden` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`kind`, `label`, `value`, `hidden`, `createdTime` DESC, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `pending` (
	`kind` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `refs` (
	`toKind` text NOT NULL,
	`toID` text NOT NULL,
	`fromKind` text NOT NULL,
	`fromID` text NOT NULL,
	`field` text NOT NULL,
	PRIMARY KEY(`toKind`, `toID`, `fromKind`, `fromID`, `field`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `replies` (
	`keyID` text NOT NULL,
	`idempotencyKey` text NOT NULL,
	`fingerprint` text NOT NULL,
	`requestID` text NOT NULL,
	`time` integer NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`keyID`, `idempotencyKey`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `replies_time` ON `replies` (`time`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`seq` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`actorID` text NOT NULL,
	`actorName` text NOT NULL,
	`time` integer NOT NULL,
	`requestID` text NOT NULL,
	`snapshot` text NOT NULL,
	`changes` text NOT NULL,
	`nthOfKind` integer NOT NULL,
	`nthOfAction` integer NOT NULL,
	`nthOfActor` integer NOT NULL,
	CONSTRAINT "revisions_json" CHECK(json_valid(snapshot) and json_valid(changes))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `revisions_version` ON `revisions` (`id`,`kind`,`version`);--> statement-breakpoint
CREATE INDEX `revisions_kind` ON `revisions` (`kind`,`nthOfKind`);--> statement-breakpoint
CREATE INDEX `revisions_action` ON `revisions` (`action`,`nthOfAction`);--> statement-breakpoint
CREATE INDEX `revisions_actor` ON `revisions` (`actorID`,`nthOfActor`);--> statement-breakpoint
CREATE TABLE `totals` (
	`kind` text NOT NULL,
	`facet` text NOT NULL,
	`a` text NOT NULL,
	`b` text NOT NULL,
	`c` text NOT NULL,
	`count` integer NOT NULL,
	`hidden` integer NOT NULL,
	PRIMARY KEY(`kind`, `facet`, `a`, `b`, `c`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `totals_b` ON `totals` (`kind`,`facet`,`b`);--> statement-breakpoint
CREATE INDEX `totals_c` ON `totals` (`kind`,`facet`,`c`);--> statement-breakpoint
CREATE TABLE `assignment_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`tags` text NOT NULL,
	`sql` text NOT NULL,
	`timestampColumn` text NOT NULL,
	`groupIDColumn` text NOT NULL,
	`experimentIDColumn` text NOT NULL,
	`idTypeMapping` text NOT NULL,
	CONSTRAINT "assignment_sources_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "assignment_sources_idTypeMapping_json" CHECK(json_valid(idTypeMapping))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `assignment_sources_newest` ON `assignment_sources` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `assignment_sources_modified` ON `assignment_sources` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `assignment_sources_name` ON `assignment_sources` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `assignment_sources_creatorID` ON `assignment_sources` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `assignment_sources_creatorName` ON `assignment_sources` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `autotunes` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`idType` text NOT NULL,
	`status` text NOT NULL,
	`variants` text NOT NULL,
	`successEvent` text NOT NULL,
	`description` text NOT NULL,
	`successEventValue` text NOT NULL,
	`explorationWindow` text NOT NULL,
	`attributionWindow` text NOT NULL,
	`winnerThreshold` text NOT NULL,
	`metadataField` text,
	`higherIsBetter` integer NOT NULL,
	`isContextual` integer NOT NULL,
	`metricSourceID` text NOT NULL,
	`linkedExperimentName` text NOT NULL,
	`goalRichText` text NOT NULL,
	`valueColumn` text NOT NULL,
	`featureList` text NOT NULL,
	`settings` text NOT NULL,
	`tags` text NOT NULL,
	`targetApps` text NOT NULL,
	`startTime` integer,
	`decidedVariant` text,
	`decisionReason` text,
	`decisionTime` integer,
	CONSTRAINT "autotunes_variants_json" CHECK(json_valid(variants)),
	CONSTRAINT "autotunes_featureList_json" CHECK(json_valid(featureList)),
	CONSTRAINT "autotunes_settings_json" CHECK(json_valid(settings)),
	CONSTRAINT "autotunes_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "autotunes_targetApps_json" CHECK(json_valid(targetApps))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `autotunes_newest` ON `autotunes` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `autotunes_modified` ON `autotunes` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `autotunes_name` ON `autotunes` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `autotunes_creatorID` ON `autotunes` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `autotunes_creatorName` ON `autotunes` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `dynamic_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`targetApps` text NOT NULL,
	`holdoutIDs` text NOT NULL,
	`tags` text NOT NULL,
	`team` text NOT NULL,
	`teamID` text,
	`status` text NOT NULL,
	`rules` text NOT NULL,
	`defaultValue` text NOT NULL,
	`defaultValueJson5` text NOT NULL,
	`schema` text NOT NULL,
	`schemaJson5` text NOT NULL,
	`releasePipelineID` text,
	`archivedFrom` text,
	CONSTRAINT "dynamic_configs_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "dynamic_configs_holdoutIDs_json" CHECK(json_valid(holdoutIDs)),
	CONSTRAINT "dynamic_configs_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "dynamic_configs_rules_json" CHECK(json_valid(rules)),
	CONSTRAINT "dynamic_configs_defaultValue_json" CHECK(json_valid(defaultValue))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `dynamic_configs_newest` ON `dynamic_configs` (createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_modified` ON `dynamic_configs` (lastModifiedTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_name` ON `dynamic_configs` (name collate nocase,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_creatorID` ON `dynamic_configs` (creatorID,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_creatorName` ON `dynamic_configs` (creatorName,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_releasePipelineID` ON `dynamic_configs` (releasePipelineID,createdTime desc,id) WHERE releasePipelineID is not null and archivedFrom is null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_status` ON `dynamic_configs` (status,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `dynamic_configs_archivedFrom` ON `dynamic_configs` (archivedFrom,createdTime desc,id) WHERE archivedFrom is not null;--> statement-breakpoint
CREATE INDEX `dynamic_configs_teamID` ON `dynamic_configs` (teamID,createdTime desc,id) WHERE teamID is not null and archivedFrom is null;--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY NOT NULL,
	`timestamp` integer NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`value` text NOT NULL,
	`userID` text NOT NULL,
	`metadata` text NOT NULL,
	CONSTRAINT "events_json" CHECK(json_valid(metadata))
) STRICT;
--> statement-breakpoint
CREATE INDEX `events_time` ON `events` (`timestamp`);--> statement-breakpoint
CREATE INDEX `events_name` ON `events` (`name`,`timestamp`);--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`targetApps` text NOT NULL,
	`holdoutIDs` text NOT NULL,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`experimentType` text NOT NULL,
	`launchedGroupID` text,
	`scheduledStartTime` integer,
	`startTime` integer,
	`endTime` integer,
	`decisionTime` integer,
	`layerID` text,
	`teamID` text,
	`hypothesis` text NOT NULL,
	`primaryMetrics` text NOT NULL,
	`secondaryMetrics` text NOT NULL,
	`primaryMetricTags` text NOT NULL,
	`secondaryMetricTags` text NOT NULL,
	`groups` text NOT NULL,
	`controlGroupID` text NOT NULL,
	`allocation` real NOT NULL,
	`duration` integer NOT NULL,
	`targetingGateID` text NOT NULL,
	`inlineTargetingRulesJSON` text NOT NULL,
	`defaultConfidenceInterval` text NOT NULL,
	`bonferroniCorrection` integer NOT NULL,
	`decisionReason` text,
	`owner` text NOT NULL,
	`overrides` text NOT NULL,
	`archivedFrom` text,
	`settings` text NOT NULL,
	CONSTRAINT "experiments_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "experiments_holdoutIDs_json" CHECK(json_valid(holdoutIDs)),
	CONSTRAINT "experiments_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "experiments_primaryMetrics_json" CHECK(json_valid(primaryMetrics)),
	CONSTRAINT "experiments_secondaryMetrics_json" CHECK(json_valid(secondaryMetrics)),
	CONSTRAINT "experiments_primaryMetricTags_json" CHECK(json_valid(primaryMetricTags)),
	CONSTRAINT "experiments_secondaryMetricTags_json" CHECK(json_valid(secondaryMetricTags)),
	CONSTRAINT "experiments_groups_json" CHECK(json_valid(groups)),
	CONSTRAINT "experiments_owner_json" CHECK(json_valid(owner)),
	CONSTRAINT "experiments_overrides_json" CHECK(json_valid(overrides)),
	CONSTRAINT "experiments_settings_json" CHECK(json_valid(settings))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `experiments_newest` ON `experiments` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_modified` ON `experiments` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_name` ON `experiments` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `experiments_creatorID` ON `experiments` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_creatorName` ON `experiments` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_status` ON `experiments` (status,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_experimentType` ON `experiments` (experimentType,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_idType` ON `experiments` (idType,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `experiments_layerID` ON `experiments` (layerID,createdTime desc,id) WHERE layerID is not null;--> statement-breakpoint
CREATE INDEX `experiments_teamID` ON `experiments` (teamID,createdTime desc,id) WHERE teamID is not null;--> statement-breakpoint
CREATE INDEX `experiments_scheduledStartTime` ON `experiments` (scheduledStartTime) WHERE scheduledStartTime is not null;--> statement-breakpoint
CREATE TABLE `gates` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`targetApps` text NOT NULL,
	`holdoutIDs` text NOT NULL,
	`tags` text NOT NULL,
	`status` text NOT NULL,
	`rules` text NOT NULL,
	`type` text NOT NULL,
	`team` text,
	`teamID` text,
	`reviewSettings` text NOT NULL,
	`measureMetricLifts` integer NOT NULL,
	`owner` text NOT NULL,
	`monitoringMetrics` text NOT NULL,
	`releasePipelineID` text,
	`overrides` text NOT NULL,
	`archivedFrom` text,
	`archiveReason` text,
	`forceArchive` integer NOT NULL,
	CONSTRAINT "gates_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "gates_holdoutIDs_json" CHECK(json_valid(holdoutIDs)),
	CONSTRAINT "gates_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "gates_rules_json" CHECK(json_valid(rules)),
	CONSTRAINT "gates_reviewSettings_json" CHECK(json_valid(reviewSettings)),
	CONSTRAINT "gates_owner_json" CHECK(json_valid(owner)),
	CONSTRAINT "gates_monitoringMetrics_json" CHECK(json_valid(monitoringMetrics)),
	CONSTRAINT "gates_overrides_json" CHECK(json_valid(overrides))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `gates_newest` ON `gates` (createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_modified` ON `gates` (lastModifiedTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_name` ON `gates` (name collate nocase,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_creatorID` ON `gates` (creatorID,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_creatorName` ON `gates` (creatorName,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_status` ON `gates` (status,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `gates_archivedFrom` ON `gates` (archivedFrom,createdTime desc,id) WHERE archivedFrom is not null;--> statement-breakpoint
CREATE INDEX `gates_type` ON `gates` (type,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_idType` ON `gates` (idType,createdTime desc,id) WHERE archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_teamID` ON `gates` (teamID,createdTime desc,id) WHERE teamID is not null and archivedFrom is null;--> statement-breakpoint
CREATE INDEX `gates_releasePipelineID` ON `gates` (releasePipelineID,createdTime desc,id) WHERE releasePipelineID is not null and archivedFrom is null;--> statement-breakpoint
CREATE TABLE `holdouts` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`targetApps` text NOT NULL,
	`tags` text NOT NULL,
	`team` text NOT NULL,
	`isEnabled` integer NOT NULL,
	`isGlobal` integer NOT NULL,
	`passPercentage` real NOT NULL,
	`gateIDs` text NOT NULL,
	`experimentIDs` text NOT NULL,
	`layerIDs` text NOT NULL,
	`dynamicConfigIDs` text NOT NULL,
	`promptIDs` text NOT NULL,
	`targetingGateID` text NOT NULL,
	`monitoringMetrics` text NOT NULL,
	`overrides` text NOT NULL,
	CONSTRAINT "holdouts_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "holdouts_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "holdouts_gateIDs_json" CHECK(json_valid(gateIDs)),
	CONSTRAINT "holdouts_experimentIDs_json" CHECK(json_valid(experimentIDs)),
	CONSTRAINT "holdouts_layerIDs_json" CHECK(json_valid(layerIDs)),
	CONSTRAINT "holdouts_dynamicConfigIDs_json" CHECK(json_valid(dynamicConfigIDs)),
	CONSTRAINT "holdouts_promptIDs_json" CHECK(json_valid(promptIDs)),
	CONSTRAINT "holdouts_monitoringMetrics_json" CHECK(json_valid(monitoringMetrics)),
	CONSTRAINT "holdouts_overrides_json" CHECK(json_valid(overrides))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `holdouts_newest` ON `holdouts` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `holdouts_modified` ON `holdouts` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `holdouts_name` ON `holdouts` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `holdouts_creatorID` ON `holdouts` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `holdouts_creatorName` ON `holdouts` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `holdouts_isGlobal` ON `holdouts` (isGlobal,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `ingestion` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`dataset` text NOT NULL,
	`type` text NOT NULL,
	`column_mapping` text NOT NULL,
	`source_name` text NOT NULL,
	`query` text NOT NULL,
	`share` text NOT NULL,
	`schema` text NOT NULL,
	`table` text NOT NULL,
	`enabled` integer NOT NULL,
	CONSTRAINT "ingestion_column_mapping_json" CHECK(json_valid(column_mapping))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `ingestion_newest` ON `ingestion` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `ingestion_modified` ON `ingestion` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `ingestion_creatorID` ON `ingestion` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `ingestion_creatorName` ON `ingestion` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `ingestion_dataset` ON `ingestion` (dataset,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `ingestion_type` ON `ingestion` (type,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`isActive` integer NOT NULL,
	`expiresTime` integer,
	`ownerEmail` text,
	`hash` text NOT NULL,
	CONSTRAINT "keys_scopes_json" CHECK(json_valid(scopes))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `keys_newest` ON `keys` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `keys_modified` ON `keys` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `keys_name` ON `keys` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `keys_creatorID` ON `keys` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `keys_creatorName` ON `keys` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `keys_hash` ON `keys` (hash);--> statement-breakpoint
CREATE TABLE `layers` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`parameters` text NOT NULL,
	`targetApps` text NOT NULL,
	`holdoutIDs` text NOT NULL,
	`tags` text NOT NULL,
	`team` text,
	`overrides` text NOT NULL,
	CONSTRAINT "layers_parameters_json" CHECK(json_valid(parameters)),
	CONSTRAINT "layers_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "layers_holdoutIDs_json" CHECK(json_valid(holdoutIDs)),
	CONSTRAINT "layers_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "layers_overrides_json" CHECK(json_valid(overrides))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `layers_newest` ON `layers` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `layers_modified` ON `layers` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `layers_name` ON `layers` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `layers_creatorID` ON `layers` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `layers_creatorName` ON `layers` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `layers_idType` ON `layers` (idType,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `metric_value_counts` (
	`year` text PRIMARY KEY NOT NULL,
	`counts` text NOT NULL,
	CONSTRAINT "metric_value_counts_counts_json" CHECK(json_valid(counts))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `metric_values` (
	`date` text NOT NULL,
	`position` integer NOT NULL,
	`metricName` text NOT NULL,
	`metricType` text NOT NULL,
	`unitType` text NOT NULL,
	`value` real NOT NULL,
	`numerator` real,
	`denominator` real,
	PRIMARY KEY(`date`, `position`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `metric_values_metric` ON `metric_values` (`date`,`metricName`,`metricType`,`unitType`);--> statement-breakpoint
CREATE INDEX `metric_values_name` ON `metric_values` (`metricName`,`date`,`position`);--> statement-breakpoint
CREATE INDEX `metric_values_type` ON `metric_values` (`metricType`,`date`,`position`);--> statement-breakpoint
CREATE TABLE `metrics` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`directionality` text NOT NULL,
	`type` text NOT NULL,
	`description` text NOT NULL,
	`isPermanent` integer NOT NULL,
	`isReadOnly` integer NOT NULL,
	`isHidden` integer NOT NULL,
	`isVerified` integer NOT NULL,
	`tags` text NOT NULL,
	`owner` text NOT NULL,
	`team` text NOT NULL,
	`teamID` text,
	`unitTypes` text NOT NULL,
	`metricEvents` text NOT NULL,
	`metricComponentMetrics` text NOT NULL,
	`funnelEventList` text NOT NULL,
	`settings` text NOT NULL,
	CONSTRAINT "metrics_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "metrics_owner_json" CHECK(json_valid(owner)),
	CONSTRAINT "metrics_unitTypes_json" CHECK(json_valid(unitTypes)),
	CONSTRAINT "metrics_metricEvents_json" CHECK(json_valid(metricEvents)),
	CONSTRAINT "metrics_metricComponentMetrics_json" CHECK(json_valid(metricComponentMetrics)),
	CONSTRAINT "metrics_funnelEventList_json" CHECK(json_valid(funnelEventList)),
	CONSTRAINT "metrics_settings_json" CHECK(json_valid(settings))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `metrics_newest` ON `metrics` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `metrics_modified` ON `metrics` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `metrics_name` ON `metrics` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `metrics_creatorID` ON `metrics` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `metrics_creatorName` ON `metrics` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `metrics_type` ON `metrics` (type,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `param_stores` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`displayName` text NOT NULL,
	`description` text NOT NULL,
	`targetAppIDs` text NOT NULL,
	`tags` text NOT NULL,
	`team` text NOT NULL,
	`parameters` text NOT NULL,
	CONSTRAINT "param_stores_targetAppIDs_json" CHECK(json_valid(targetAppIDs)),
	CONSTRAINT "param_stores_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "param_stores_parameters_json" CHECK(json_valid(parameters))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `param_stores_newest` ON `param_stores` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `param_stores_modified` ON `param_stores` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `param_stores_name` ON `param_stores` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `param_stores_creatorID` ON `param_stores` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `param_stores_creatorName` ON `param_stores` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`targetApps` text NOT NULL,
	`holdoutIDs` text NOT NULL,
	`tags` text NOT NULL,
	`team` text NOT NULL,
	`teamID` text NOT NULL,
	CONSTRAINT "prompts_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "prompts_holdoutIDs_json" CHECK(json_valid(holdoutIDs)),
	CONSTRAINT "prompts_tags_json" CHECK(json_valid(tags))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `prompts_newest` ON `prompts` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `prompts_modified` ON `prompts` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `prompts_name` ON `prompts` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `prompts_creatorID` ON `prompts` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `prompts_creatorName` ON `prompts` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `prompts_teamID` ON `prompts` (teamID,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `release_pipeline_triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`releasePipelineID` text NOT NULL,
	`gateID` text NOT NULL,
	`dynamicConfigID` text NOT NULL,
	`configSnapshotID` text NOT NULL,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`currentPhase` text NOT NULL,
	`currentPhaseID` text NOT NULL,
	`currentPhaseEndTime` integer NOT NULL,
	`actions` text NOT NULL,
	`phases` text NOT NULL,
	`configSnapshot` text NOT NULL,
	`appliedPhaseID` text,
	`dueTime` integer,
	`remainingMs` integer,
	CONSTRAINT "release_pipeline_triggers_actions_json" CHECK(json_valid(actions)),
	CONSTRAINT "release_pipeline_triggers_phases_json" CHECK(json_valid(phases)),
	CONSTRAINT "release_pipeline_triggers_configSnapshot_json" CHECK(json_valid(configSnapshot))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_newest` ON `release_pipeline_triggers` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_modified` ON `release_pipeline_triggers` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_creatorID` ON `release_pipeline_triggers` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_creatorName` ON `release_pipeline_triggers` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_status` ON `release_pipeline_triggers` (status,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_releasePipelineID` ON `release_pipeline_triggers` (releasePipelineID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_gateID` ON `release_pipeline_triggers` (gateID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_dynamicConfigID` ON `release_pipeline_triggers` (dynamicConfigID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_dueTime` ON `release_pipeline_triggers` (dueTime) WHERE dueTime is not null;--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_gateID_dueTime` ON `release_pipeline_triggers` (gateID,dueTime) WHERE dueTime is not null;--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_dynamicConfigID_dueTime` ON `release_pipeline_triggers` (dynamicConfigID,dueTime) WHERE dueTime is not null;--> statement-breakpoint
CREATE TABLE `release_pipelines` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`tags` text NOT NULL,
	`phases` text NOT NULL,
	CONSTRAINT "release_pipelines_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "release_pipelines_phases_json" CHECK(json_valid(phases))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `release_pipelines_newest` ON `release_pipelines` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipelines_modified` ON `release_pipelines` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipelines_name` ON `release_pipelines` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `release_pipelines_creatorID` ON `release_pipelines` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `release_pipelines_creatorName` ON `release_pipelines` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`idType` text NOT NULL,
	`type` text NOT NULL,
	`rules` text NOT NULL,
	`tags` text NOT NULL,
	`targetApps` text NOT NULL,
	`team` text,
	`teamID` text,
	`count` integer NOT NULL,
	`ids` text NOT NULL,
	`status` text NOT NULL,
	CONSTRAINT "segments_rules_json" CHECK(json_valid(rules)),
	CONSTRAINT "segments_tags_json" CHECK(json_valid(tags)),
	CONSTRAINT "segments_targetApps_json" CHECK(json_valid(targetApps)),
	CONSTRAINT "segments_ids_json" CHECK(json_valid(ids))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `segments_newest` ON `segments` (createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_modified` ON `segments` (lastModifiedTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_name` ON `segments` (name collate nocase,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_creatorID` ON `segments` (creatorID,createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_creatorName` ON `segments` (creatorName,createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_type` ON `segments` (type,createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_status` ON `segments` (status,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `wh_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorID` text NOT NULL,
	`creatorName` text NOT NULL,
	`creatorEmail` text,
	`lastModifiedTime` integer NOT NULL,
	`lastModifierID` text NOT NULL,
	`lastModifierName` text NOT NULL,
	`lastModifierEmail` text,
	`settings` text NOT NULL,
	CONSTRAINT "wh_connections_settings_json" CHECK(json_valid(settings))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `wh_connections_newest` ON `wh_connections` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `wh_connections_modified` ON `wh_connections` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `wh_connections_creatorID` ON `wh_connections` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `wh_connections_creatorName` ON `wh_connections` (creatorName,createdTime desc,id);
--> statement-breakpoint
-- What lists search: the words of the newest state of each entity, under the seq of its newest revision.
CREATE VIRTUAL TABLE `search` USING fts5(kind, id, name, description, tags, content = '', contentless_delete = 1, prefix = '2 3', tokenize = "unicode61 remove_diacritics 2");
--> statement-breakpoint
CREATE TRIGGER `revisions_search_again` BEFORE INSERT ON `revisions` WHEN NEW.version > 1 AND NEW.action <> 'import'
BEGIN
DELETE FROM `search` WHERE rowid = (SELECT seq FROM `revisions` WHERE id = NEW.id AND kind = NEW.kind AND version = NEW.version - 1);
END;
--> statement-breakpoint
CREATE TRIGGER `revisions_search` AFTER INSERT ON `revisions` WHEN NEW.snapshot->>'version' = NEW.version
BEGIN
INSERT INTO `search` (rowid, kind, id, name, description, tags)
VALUES (NEW.seq, NEW.kind, NEW.id, NEW.snapshot->>'name', NEW.snapshot->>'description', NEW.snapshot->>'tags');
END;
--> statement-breakpoint
-- Under which names each actor may have changed something: the two that have no key, and then each key.
INSERT INTO `actors` (`name`, `id`) VALUES ('CONSOLE API', 'root'), ('Scheduler', 'scheduler');
--> statement-breakpoint
CREATE TRIGGER `revisions_actor` AFTER INSERT ON `revisions` WHEN NEW.kind = 'key'
BEGIN INSERT OR IGNORE INTO `actors` (`name`, `id`) VALUES (NEW.snapshot->>'name', NEW.id); END;
--> statement-breakpoint
-- History is append-only.
CREATE TRIGGER `revisions_no_update` BEFORE UPDATE ON `revisions`
BEGIN SELECT RAISE(ABORT, 'console: revisions are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `revisions_no_delete` BEFORE DELETE ON `revisions`
BEGIN SELECT RAISE(ABORT, 'console: revisions are append-only'); END;
--> statement-breakpoint
-- A reference needs an existing target, except a reference to a metric.
CREATE TRIGGER `refs_known` BEFORE INSERT ON `refs`
WHEN NEW.toKind <> 'metric'
AND NOT EXISTS (SELECT 1 FROM `anchors` WHERE kind = NEW.toKind AND id = NEW.toID)
BEGIN SELECT RAISE(ABORT, 'console: unknown reference'); END;
--> statement-breakpoint
-- Nothing goes while something refers to it.
CREATE TRIGGER `anchors_unused` BEFORE DELETE ON `anchors`
WHEN EXISTS (SELECT 1 FROM `refs` WHERE toKind = OLD.kind AND toID = OLD.id)
BEGIN SELECT RAISE(ABORT, 'console: in use'); END;
--> statement-breakpoint
-- What takes a batch back: at the end of a dry run, or where what it read has changed.
CREATE TRIGGER `guard_dry_run` BEFORE INSERT ON `guard` WHEN NEW.reason = 'dry run'
BEGIN SELECT RAISE(ABORT, 'console: dry run'); END;
--> statement-breakpoint
CREATE TRIGGER `guard_stale` BEFORE INSERT ON `guard` WHEN NEW.reason = 'stale'
BEGIN SELECT RAISE(ABORT, 'console: stale'); END;
--> statement-breakpoint
CREATE TRIGGER `guard_circle` BEFORE INSERT ON `guard` WHEN NEW.reason LIKE 'circle %'
BEGIN SELECT RAISE(ABORT, 'console: ' || NEW.reason); END;
