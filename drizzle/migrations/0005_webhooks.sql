CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`webhookID` text NOT NULL,
	`seq` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer NOT NULL,
	`nextTime` integer,
	`lastTime` integer,
	`lastError` text,
	`createdTime` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhookID`,`seq`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`nextTime`) WHERE nextTime is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`createdTime`);--> statement-breakpoint
CREATE TABLE `webhooks` (
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
	`url` text NOT NULL,
	`kinds` text NOT NULL,
	`actions` text NOT NULL,
	`isActive` integer NOT NULL,
	`secret` text NOT NULL,
	CONSTRAINT "webhooks_kinds_json" CHECK(json_valid(kinds)),
	CONSTRAINT "webhooks_actions_json" CHECK(json_valid(actions))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhooks_newest` ON `webhooks` (createdTime desc,id);--> statement-breakpoint
CREATE INDEX `webhooks_modified` ON `webhooks` (lastModifiedTime desc,id);--> statement-breakpoint
CREATE INDEX `webhooks_name` ON `webhooks` (name collate nocase,id);--> statement-breakpoint
CREATE INDEX `webhooks_creatorID` ON `webhooks` (creatorID,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `webhooks_creatorName` ON `webhooks` (creatorName,createdTime desc,id);--> statement-breakpoint
CREATE INDEX `webhooks_isActive` ON `webhooks` (isActive);
--> statement-breakpoint
-- What a webhook is to be told, in the batch of the change.
CREATE TRIGGER `revisions_told` AFTER INSERT ON `revisions`
WHEN EXISTS (SELECT 1 FROM `webhooks` WHERE isActive = 1)
BEGIN
INSERT INTO `webhook_deliveries` (id, webhookID, seq, status, attempts, nextTime, createdTime)
SELECT 'msg_' || NEW.seq || '_' || id, id, NEW.seq, 'pending', 0, NEW.time, NEW.time FROM `webhooks`
WHERE isActive = 1
AND (kinds = '[]' OR EXISTS (SELECT 1 FROM json_each(kinds) WHERE value = NEW.kind))
AND (actions = '[]' OR EXISTS (SELECT 1 FROM json_each(actions) WHERE value = NEW.action));
END;
