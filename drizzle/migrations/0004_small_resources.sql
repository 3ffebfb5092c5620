CREATE TABLE `company` (
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
	`strict` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `company_newest` ON `company` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `company_modified` ON `company` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `company_name` ON `company` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `company_creatorID` ON `company` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `company_creatorName` ON `company` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `company_strict` ON `company` (strict);--> statement-breakpoint
CREATE TABLE `deployment` (
	`id` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `environments` (
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
	`environments` text NOT NULL,
	CONSTRAINT "environments_environments_json" CHECK(json_valid(environments))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `environments_newest` ON `environments` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `environments_modified` ON `environments` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `environments_creatorID` ON `environments` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `environments_creatorName` ON `environments` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `tags` (
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
	`isCore` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tags_newest` ON `tags` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `tags_modified` ON `tags` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `tags_name` ON `tags` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `tags_creatorID` ON `tags` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `tags_creatorName` ON `tags` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `target_apps` (
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
	`description` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `target_apps_newest` ON `target_apps` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `target_apps_modified` ON `target_apps` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `target_apps_name` ON `target_apps` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `target_apps_creatorID` ON `target_apps` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `target_apps_creatorName` ON `target_apps` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `teams` (
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
	`description` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `teams_newest` ON `teams` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `teams_modified` ON `teams` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `teams_name` ON `teams` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `teams_creatorID` ON `teams` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `teams_creatorName` ON `teams` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `unit_id_types` (
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
	`description` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `unit_id_types_newest` ON `unit_id_types` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `unit_id_types_modified` ON `unit_id_types` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `unit_id_types_name` ON `unit_id_types` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `unit_id_types_creatorID` ON `unit_id_types` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `unit_id_types_creatorName` ON `unit_id_types` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE TABLE `users` (
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
	`email` text NOT NULL,
	`name` text NOT NULL,
	`role` text NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `users_newest` ON `users` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `users_modified` ON `users` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `users_creatorID` ON `users` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `users_creatorName` ON `users` (creatorName,createdTime desc,id);
--> statement-breakpoint
-- What this deployment is known by.
INSERT INTO `deployment` (id) VALUES (lower(hex(randomblob(16))));
--> statement-breakpoint
-- These count by more properties than before: the scheduler counts them again.
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions` WHERE kind IN
('autotune', 'dynamic_config', 'experiment', 'gate', 'holdout', 'key', 'layer', 'metric', 'param_store', 'prompt', 'segment');
