-- What lists search is made by the code now, which divides texts without blanks into words. Triggers cannot.
DROP TRIGGER `revisions_search`;
--> statement-breakpoint
DROP TRIGGER `revisions_search_gone`;
--> statement-breakpoint
-- Lists go by folded names. Until the scheduler has folded them, they stay in the order that they had.
DROP INDEX `assignment_sources_name`;--> statement-breakpoint
ALTER TABLE `assignment_sources` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `assignment_sources` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `assignment_sources_sortName` ON `assignment_sources` (sortName,id);--> statement-breakpoint
DROP INDEX `autotunes_name`;--> statement-breakpoint
ALTER TABLE `autotunes` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `autotunes` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `autotunes_sortName` ON `autotunes` (sortName,id);--> statement-breakpoint
DROP INDEX `company_name`;--> statement-breakpoint
ALTER TABLE `company` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `company` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `company_sortName` ON `company` (sortName,id);--> statement-breakpoint
DROP INDEX `dynamic_configs_name`;--> statement-breakpoint
ALTER TABLE `dynamic_configs` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `dynamic_configs` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `dynamic_configs_sortName` ON `dynamic_configs` (sortName,id) WHERE archivedFrom is null;--> statement-breakpoint
DROP INDEX `experiments_name`;--> statement-breakpoint
ALTER TABLE `experiments` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `experiments` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `experiments_sortName` ON `experiments` (sortName,id);--> statement-breakpoint
DROP INDEX `gates_name`;--> statement-breakpoint
ALTER TABLE `gates` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `gates` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `gates_sortName` ON `gates` (sortName,id) WHERE archivedFrom is null;--> statement-breakpoint
DROP INDEX `holdouts_name`;--> statement-breakpoint
ALTER TABLE `holdouts` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `holdouts` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `holdouts_sortName` ON `holdouts` (sortName,id);--> statement-breakpoint
DROP INDEX `keys_name`;--> statement-breakpoint
ALTER TABLE `keys` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `keys` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `keys_sortName` ON `keys` (sortName,id);--> statement-breakpoint
DROP INDEX `layers_name`;--> statement-breakpoint
ALTER TABLE `layers` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `layers` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `layers_sortName` ON `layers` (sortName,id);--> statement-breakpoint
DROP INDEX `metrics_name`;--> statement-breakpoint
ALTER TABLE `metrics` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `metrics` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `metrics_sortName` ON `metrics` (sortName,id);--> statement-breakpoint
DROP INDEX `param_stores_name`;--> statement-breakpoint
ALTER TABLE `param_stores` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `param_stores` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `param_stores_sortName` ON `param_stores` (sortName,id);--> statement-breakpoint
DROP INDEX `prompts_name`;--> statement-breakpoint
ALTER TABLE `prompts` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `prompts` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `prompts_sortName` ON `prompts` (sortName,id);--> statement-breakpoint
DROP INDEX `release_pipelines_name`;--> statement-breakpoint
ALTER TABLE `release_pipelines` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `release_pipelines` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `release_pipelines_sortName` ON `release_pipelines` (sortName,id);--> statement-breakpoint
DROP INDEX `segments_name`;--> statement-breakpoint
ALTER TABLE `segments` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `segments` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `segments_sortName` ON `segments` (sortName,id) WHERE status <> 'archived';--> statement-breakpoint
DROP INDEX `tags_name`;--> statement-breakpoint
ALTER TABLE `tags` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `tags` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `tags_sortName` ON `tags` (sortName,id);--> statement-breakpoint
DROP INDEX `target_apps_name`;--> statement-breakpoint
ALTER TABLE `target_apps` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `target_apps` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `target_apps_sortName` ON `target_apps` (sortName,id);--> statement-breakpoint
DROP INDEX `teams_name`;--> statement-breakpoint
ALTER TABLE `teams` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `teams` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `teams_sortName` ON `teams` (sortName,id);--> statement-breakpoint
DROP INDEX `unit_id_types_name`;--> statement-breakpoint
ALTER TABLE `unit_id_types` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `unit_id_types` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `unit_id_types_sortName` ON `unit_id_types` (sortName,id);--> statement-breakpoint
DROP INDEX `users_name`;--> statement-breakpoint
ALTER TABLE `users` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `users` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `users_sortName` ON `users` (sortName,id);--> statement-breakpoint
DROP INDEX `webhooks_name`;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `sortName` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `webhooks` SET sortName = lower(name);--> statement-breakpoint
CREATE INDEX `webhooks_sortName` ON `webhooks` (sortName,id);
--> statement-breakpoint
-- The scheduler makes again what is searched, and folds the names.
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions` WHERE kind IN
('assignment_source', 'autotune', 'company', 'dynamic_config', 'environments', 'experiment', 'gate', 'holdout',
'ingestion_source', 'key', 'layer', 'metric', 'param_store', 'prompt', 'release_pipeline', 'release_pipeline_trigger',
'segment', 'tag', 'target_app', 'team', 'unit_id_type', 'user', 'webhook', 'wh_connection');
