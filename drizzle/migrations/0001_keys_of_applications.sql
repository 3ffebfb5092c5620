-- Keys of applications: what they are for, and which part of the project they evaluate. Written by hand: the generated
-- migration would build the table anew.
ALTER TABLE `keys` ADD `type` text DEFAULT 'CONSOLE' NOT NULL;--> statement-breakpoint
ALTER TABLE `keys` ADD `environments` text CONSTRAINT `keys_environments_json` CHECK(json_valid(environments));--> statement-breakpoint
ALTER TABLE `keys` ADD `targetAppID` text;
