CREATE TABLE `analysis_removals` (
	`kind` text NOT NULL,
	`id` text NOT NULL,
	PRIMARY KEY(`kind`, `id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `analyses` ADD `lateEvents` text DEFAULT '{}' NOT NULL;