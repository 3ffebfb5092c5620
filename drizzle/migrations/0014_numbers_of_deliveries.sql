ALTER TABLE `webhook_deliveries` ADD `nth` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE `webhook_deliveries` SET nth = numbered.n
FROM (SELECT id AS numberedID, row_number() OVER (PARTITION BY webhookID ORDER BY seq) AS n FROM `webhook_deliveries`) AS numbered
WHERE id = numberedID;
--> statement-breakpoint
DROP TRIGGER `revisions_told`;
--> statement-breakpoint
-- What a webhook is to be told, in the batch of the change. The time of one that was imported may be long ago.
CREATE TRIGGER `revisions_told` AFTER INSERT ON `revisions`
WHEN EXISTS (SELECT 1 FROM `webhooks` WHERE isActive = 1)
BEGIN
INSERT INTO `webhook_deliveries` (id, webhookID, seq, status, attempts, nextTime, createdTime, nth)
SELECT 'msg_' || NEW.seq || '_' || id, id, NEW.seq, 'pending', 0, NEW.time,
max(NEW.time, CAST(unixepoch('subsec') * 1000 AS integer)),
1 + coalesce((SELECT nth FROM `webhook_deliveries` WHERE webhookID = `webhooks`.id ORDER BY seq DESC LIMIT 1), 0)
FROM `webhooks`
WHERE isActive = 1
AND (kinds = '[]' OR EXISTS (SELECT 1 FROM json_each(kinds) WHERE value = NEW.kind))
AND (actions = '[]' OR EXISTS (SELECT 1 FROM json_each(actions) WHERE value = NEW.action));
END;
