CREATE TABLE `anchors` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`kind`, `id`)
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
CREATE INDEX `replies_time` ON `replies` (`time`);
--> statement-breakpoint
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
	CONSTRAINT "revisions_json" CHECK(json_valid(snapshot))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `revisions_version` ON `revisions` (`kind`,`id`,`version`);
--> statement-breakpoint
CREATE INDEX `revisions_request` ON `revisions` (`requestID`);
--> statement-breakpoint
CREATE TABLE `assignment_sources` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	CONSTRAINT "assignment_sources_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `assignment_sources_newest` ON `assignment_sources` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `autotunes` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	CONSTRAINT "autotunes_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `autotunes_newest` ON `autotunes` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `dynamic_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`status` text GENERATED ALWAYS AS (json_extract(data, '$.status')) VIRTUAL,
	`teamID` text GENERATED ALWAYS AS (json_extract(data, '$.teamID')) VIRTUAL,
	`releasePipelineID` text GENERATED ALWAYS AS (json_extract(data, '$.releasePipelineID')) VIRTUAL,
	CONSTRAINT "dynamic_configs_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `dynamic_configs_newest` ON `dynamic_configs` ("createdTime" desc,`id`);
--> statement-breakpoint
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
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`status` text GENERATED ALWAYS AS (json_extract(data, '$.status')) VIRTUAL,
	`experimentType` text GENERATED ALWAYS AS (json_extract(data, '$.experimentType')) VIRTUAL,
	`layerID` text GENERATED ALWAYS AS (json_extract(data, '$.layerID')) VIRTUAL,
	`idType` text GENERATED ALWAYS AS (json_extract(data, '$.idType')) VIRTUAL,
	`teamID` text GENERATED ALWAYS AS (json_extract(data, '$.teamID')) VIRTUAL,
	CONSTRAINT "experiments_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `experiments_newest` ON `experiments` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `gates` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`status` text GENERATED ALWAYS AS (json_extract(data, '$.status')) VIRTUAL,
	`type` text GENERATED ALWAYS AS (json_extract(data, '$.type')) VIRTUAL,
	`idType` text GENERATED ALWAYS AS (json_extract(data, '$.idType')) VIRTUAL,
	`teamID` text GENERATED ALWAYS AS (json_extract(data, '$.teamID')) VIRTUAL,
	CONSTRAINT "gates_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `gates_newest` ON `gates` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `holdouts` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`isGlobal` integer GENERATED ALWAYS AS (json_extract(data, '$.isGlobal')) VIRTUAL,
	CONSTRAINT "holdouts_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `holdouts_newest` ON `holdouts` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE INDEX `holdouts_isGlobal` ON `holdouts` (isGlobal);
--> statement-breakpoint
CREATE TABLE `ingestion` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`dataset` text GENERATED ALWAYS AS (json_extract(data, '$.dataset')) VIRTUAL,
	`type` text GENERATED ALWAYS AS (json_extract(data, '$.type')) VIRTUAL,
	CONSTRAINT "ingestion_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `ingestion_newest` ON `ingestion` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`hash` text GENERATED ALWAYS AS (json_extract(data, '$.hash.value')) VIRTUAL,
	CONSTRAINT "keys_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `keys_newest` ON `keys` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE INDEX `keys_hash` ON `keys` (hash);
--> statement-breakpoint
CREATE TABLE `layers` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`idType` text GENERATED ALWAYS AS (json_extract(data, '$.idType')) VIRTUAL,
	CONSTRAINT "layers_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `layers_newest` ON `layers` ("createdTime" desc,`id`);
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
CREATE UNIQUE INDEX `metric_values_metric` ON `metric_values` (`date`,`metricName`,`metricType`,`unitType`);
--> statement-breakpoint
CREATE TABLE `metrics` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`type` text GENERATED ALWAYS AS (json_extract(data, '$.type')) VIRTUAL,
	CONSTRAINT "metrics_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `metrics_newest` ON `metrics` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `param_stores` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	CONSTRAINT "param_stores_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `param_stores_newest` ON `param_stores` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`teamID` text GENERATED ALWAYS AS (json_extract(data, '$.teamID')) VIRTUAL,
	CONSTRAINT "prompts_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `prompts_newest` ON `prompts` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `release_pipeline_triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`releasePipelineID` text GENERATED ALWAYS AS (json_extract(data, '$.releasePipelineID')) VIRTUAL,
	`gateID` text GENERATED ALWAYS AS (json_extract(data, '$.gateID')) VIRTUAL,
	`dynamicConfigID` text GENERATED ALWAYS AS (json_extract(data, '$.dynamicConfigID')) VIRTUAL,
	`status` text GENERATED ALWAYS AS (json_extract(data, '$.status')) VIRTUAL,
	CONSTRAINT "release_pipeline_triggers_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `release_pipeline_triggers_newest` ON `release_pipeline_triggers` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `release_pipelines` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	CONSTRAINT "release_pipelines_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `release_pipelines_newest` ON `release_pipelines` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `segments` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	`type` text GENERATED ALWAYS AS (json_extract(data, '$.type')) VIRTUAL,
	CONSTRAINT "segments_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `segments_newest` ON `segments` ("createdTime" desc,`id`);
--> statement-breakpoint
CREATE TABLE `wh_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`data` text NOT NULL,
	`createdTime` integer GENERATED ALWAYS AS (json_extract(data, '$.createdTime')) VIRTUAL,
	`lastModifiedTime` integer GENERATED ALWAYS AS (json_extract(data, '$.lastModifiedTime')) VIRTUAL,
	`creatorID` text GENERATED ALWAYS AS (json_extract(data, '$.creatorID')) VIRTUAL,
	`creatorName` text GENERATED ALWAYS AS (json_extract(data, '$.creatorName')) VIRTUAL,
	CONSTRAINT "wh_connections_json" CHECK(json_valid(data))
) STRICT;
--> statement-breakpoint
CREATE INDEX `wh_connections_newest` ON `wh_connections` ("createdTime" desc,`id`);
--> statement-breakpoint
-- History is append-only.
CREATE TRIGGER `revisions_no_update` BEFORE UPDATE ON `revisions`
BEGIN SELECT RAISE(ABORT, 'console: revisions are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `revisions_no_delete` BEFORE DELETE ON `revisions`
BEGIN SELECT RAISE(ABORT, 'console: revisions are append-only'); END;
--> statement-breakpoint
-- Nothing refers to what is not there; tags, target apps and metrics come into being by themselves.
CREATE TRIGGER `refs_known` BEFORE INSERT ON `refs`
WHEN NEW.toKind NOT IN ('tag', 'target_app', 'metric')
AND NOT EXISTS (SELECT 1 FROM `anchors` WHERE kind = NEW.toKind AND id = NEW.toID)
BEGIN SELECT RAISE(ABORT, 'console: unknown reference'); END;
--> statement-breakpoint
-- Nothing goes while something refers to it.
CREATE TRIGGER `anchors_unused` BEFORE DELETE ON `anchors`
WHEN EXISTS (SELECT 1 FROM `refs` WHERE toKind = OLD.kind AND toID = OLD.id)
BEGIN SELECT RAISE(ABORT, 'console: in use'); END;
--> statement-breakpoint
-- What takes a batch back: at the end of a dry run, or where what it read has changed.
CREATE VIEW `guard` AS SELECT '' AS reason;
--> statement-breakpoint
CREATE TRIGGER `guard_dry_run` INSTEAD OF INSERT ON `guard` WHEN NEW.reason = 'dry run'
BEGIN SELECT RAISE(ABORT, 'console: dry run'); END;
--> statement-breakpoint
CREATE TRIGGER `guard_stale` INSTEAD OF INSERT ON `guard` WHEN NEW.reason = 'stale'
BEGIN SELECT RAISE(ABORT, 'console: stale'); END;
--> statement-breakpoint
CREATE TRIGGER `guard_circle` INSTEAD OF INSERT ON `guard` WHEN NEW.reason = 'circle'
BEGIN SELECT RAISE(ABORT, 'console: circle'); END;
