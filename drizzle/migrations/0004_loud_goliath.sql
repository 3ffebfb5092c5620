DROP INDEX `segments_newest`;--> statement-breakpoint
DROP INDEX `segments_modified`;--> statement-breakpoint
DROP INDEX `segments_name`;--> statement-breakpoint
DROP INDEX `segments_creatorID`;--> statement-breakpoint
DROP INDEX `segments_creatorName`;--> statement-breakpoint
DROP INDEX `segments_type`;--> statement-breakpoint
CREATE INDEX `segments_newest` ON `segments` (createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_modified` ON `segments` (lastModifiedTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_name` ON `segments` (name collate nocase,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_creatorID` ON `segments` (creatorID,createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_creatorName` ON `segments` (creatorName,createdTime desc,id) WHERE status <> 'archived';--> statement-breakpoint
CREATE INDEX `segments_type` ON `segments` (type,createdTime desc,id) WHERE status <> 'archived';