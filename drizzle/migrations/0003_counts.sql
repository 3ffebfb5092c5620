-- Who was exposed to what, how often it was asked for, and what units did. Columns that hold JSON are added by hand: the
-- generated migration would build their tables anew.
CREATE TABLE `event_units` (
	`unitType` text NOT NULL,
	`unitID` text NOT NULL,
	`name` text NOT NULL,
	`timestamp` integer NOT NULL,
	`seq` integer NOT NULL,
	`number` real,
	PRIMARY KEY(`unitType`, `unitID`, `name`, `timestamp`, `seq`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `checks` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`hour` integer NOT NULL,
	`count` integer NOT NULL,
	`previous` integer NOT NULL,
	`lastTrue` integer,
	`lastFalse` integer,
	PRIMARY KEY(`kind`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`day` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`day`, `hash`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `exposure_counts` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`group` text NOT NULL,
	`units` integer NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`, `group`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `exposures` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`unitType` text NOT NULL,
	`unit` text NOT NULL,
	`group` text NOT NULL,
	`firstTime` integer NOT NULL,
	`draw` integer NOT NULL,
	`attributes` text NOT NULL,
	PRIMARY KEY(`kind`, `id`, `start`, `unitType`, `unit`, `group`),
	CONSTRAINT "exposures_json" CHECK(json_valid(attributes))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `events` ADD `unitIDs` text DEFAULT '{}' NOT NULL CONSTRAINT `events_unitIDs_json` CHECK(json_valid(unitIDs));--> statement-breakpoint
ALTER TABLE `gates` ADD `ruleTimes` text DEFAULT '{}' NOT NULL CONSTRAINT `gates_ruleTimes_json` CHECK(json_valid(ruleTimes));--> statement-breakpoint
ALTER TABLE `holdouts` ADD `phaseTime` integer;
