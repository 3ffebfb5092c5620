ALTER TABLE `gates` ADD `salt` text;--> statement-breakpoint
CREATE TRIGGER `guard_taken` BEFORE INSERT ON `guard` WHEN NEW.reason LIKE 'taken %'
BEGIN SELECT RAISE(ABORT, 'console: ' || NEW.reason); END;
