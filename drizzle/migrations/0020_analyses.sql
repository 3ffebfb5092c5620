CREATE TABLE `analyses` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`unitType` text NOT NULL,
	`groups` text NOT NULL,
	`control` text NOT NULL,
	`assignmentEnd` integer,
	`endTime` integer,
	`plannedEnd` integer,
	`designAlpha` real NOT NULL,
	`tuningUnits` integer NOT NULL,
	`settings` text NOT NULL,
	`health` text NOT NULL,
	`loadedTime` integer,
	`loadedDay` integer,
	`dueDay` integer NOT NULL,
	`isOpen` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`),
	CONSTRAINT "analyses_json" CHECK(json_valid(groups) and json_valid(settings) and json_valid(health))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `analyses_open` ON `analyses` (`kind`,`id`,`start`) WHERE isOpen = 1;--> statement-breakpoint
CREATE TABLE `analysis_exposures` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`ds` integer NOT NULL,
	`dimension` text NOT NULL,
	`slice` text NOT NULL,
	`group` text NOT NULL,
	`new` integer NOT NULL,
	`cumulative` integer NOT NULL,
	`crossovers` integer NOT NULL,
	`exposures` integer NOT NULL,
	`firstTimes` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`, `ds`, `dimension`, `slice`, `group`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analysis_loads` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`createdTime` integer NOT NULL,
	`creatorName` text NOT NULL,
	`reloadType` text NOT NULL,
	`startDs` integer NOT NULL,
	`endDs` integer NOT NULL,
	`finishedTime` integer,
	`finishedState` text,
	PRIMARY KEY(`kind`, `id`, `start`, `createdTime`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analysis_looks` (
	`name` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`time` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analysis_moments` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`metric` text NOT NULL,
	`rollup` integer NOT NULL,
	`ds` integer NOT NULL,
	`dimension` text NOT NULL,
	`slice` text NOT NULL,
	`group` text NOT NULL,
	`definition` text NOT NULL,
	`n` integer NOT NULL,
	`moments` text NOT NULL,
	`upper` real,
	`upperDenominator` real,
	`skipped` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`, `metric`, `rollup`, `ds`, `dimension`, `slice`, `group`),
	CONSTRAINT "analysis_moments_json" CHECK(json_valid(moments))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `analysis_runs` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`ds` integer NOT NULL,
	`metric` text NOT NULL,
	`rollup` integer NOT NULL,
	`phase` text NOT NULL,
	`nextUnit` text NOT NULL,
	`partial` text NOT NULL,
	`plannedTime` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`, `ds`, `metric`, `rollup`),
	CONSTRAINT "analysis_runs_json" CHECK(json_valid(partial))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `unit_values` (
	`metricName` text NOT NULL,
	`metricType` text NOT NULL,
	`unitType` text NOT NULL,
	`unit` text NOT NULL,
	`ds` integer NOT NULL,
	`value` real,
	`numerator` real,
	`denominator` real,
	PRIMARY KEY(`metricName`, `metricType`, `unitType`, `unit`, `ds`)
) STRICT, WITHOUT ROWID;
