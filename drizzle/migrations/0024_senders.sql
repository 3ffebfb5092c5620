CREATE TABLE `event_identities` (
	`hash` text PRIMARY KEY NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `events` ADD `sender` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `eventID` text;--> statement-breakpoint
ALTER TABLE `exposures` ADD `sender` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `keys` ADD `reports` text DEFAULT '{"events":true,"exposures":true}' NOT NULL CONSTRAINT "keys_reports_json" CHECK(json_valid(reports));
