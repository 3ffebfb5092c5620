-- What lists search, under the seq of the first revision of each entity, so that only a change of its words writes it.
DROP TRIGGER `revisions_search_again`;
--> statement-breakpoint
DROP TRIGGER `revisions_search`;
--> statement-breakpoint
CREATE TRIGGER `revisions_search` AFTER INSERT ON `revisions`
WHEN NEW.snapshot->>'version' = NEW.version AND NOT EXISTS (
SELECT 1 FROM `revisions` WHERE id = NEW.id AND kind = NEW.kind AND version = NEW.version - 1
AND snapshot->>'version' = version AND snapshot->>'name' IS NEW.snapshot->>'name'
AND snapshot->>'description' IS NEW.snapshot->>'description' AND snapshot->>'tags' IS NEW.snapshot->>'tags')
BEGIN
REPLACE INTO `search` (rowid, kind, id, name, description, tags)
VALUES (
iif(NEW.version = 1, NEW.seq, (SELECT seq FROM `revisions` WHERE id = NEW.id AND kind = NEW.kind AND version = 1)),
NEW.kind, NEW.id, NEW.snapshot->>'name', NEW.snapshot->>'description', NEW.snapshot->>'tags');
END;
--> statement-breakpoint
-- What removes an entity has the state before it, and is never the first.
CREATE TRIGGER `revisions_search_gone` AFTER INSERT ON `revisions`
WHEN NEW.version > 1 AND NEW.snapshot->>'version' IS NOT NEW.version
BEGIN
DELETE FROM `search` WHERE rowid = (SELECT seq FROM `revisions` WHERE id = NEW.id AND kind = NEW.kind AND version = 1);
END;
--> statement-breakpoint
INSERT INTO `search` (`search`) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO `search` (rowid, kind, id, name, description, tags)
SELECT first.seq, newest.kind, newest.id, newest.snapshot->>'name', newest.snapshot->>'description', newest.snapshot->>'tags'
FROM (SELECT id, kind, max(version) AS version FROM `revisions` GROUP BY id, kind) AS last
JOIN `revisions` AS newest USING (id, kind, version)
JOIN `revisions` AS first ON first.id = newest.id AND first.kind = newest.kind AND first.version = 1
WHERE newest.snapshot->>'version' = newest.version;
--> statement-breakpoint
-- A namesake is refused by a statement of its own.
DROP TRIGGER `guard_taken`;
