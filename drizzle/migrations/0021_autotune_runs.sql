CREATE TABLE `autotune_hours` (
	`id` text NOT NULL,
	`start` integer NOT NULL,
	`hour` integer NOT NULL,
	`variants` text NOT NULL,
	PRIMARY KEY(`id`, `start`, `hour`),
	CONSTRAINT "autotune_hours_json" CHECK(json_valid(variants))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `autotune_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`start` integer NOT NULL,
	`dueHour` integer NOT NULL,
	`counted` text NOT NULL,
	CONSTRAINT "autotune_runs_json" CHECK(json_valid(counted))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `autotune_runs` (id, start, dueHour, counted)
SELECT id, startTime, 0, '{"unit":"","variant":"","trials":{}}' FROM `autotunes` WHERE status = 'active' AND startTime IS NOT NULL;
