-- The groups that conditions name are held as well. A condition may name a group that does not exist yet: until then it
-- matches nobody. A layer can override existing groups only.
DROP TRIGGER `refs_known`;
--> statement-breakpoint
CREATE TRIGGER `refs_known` BEFORE INSERT ON `refs`
WHEN NEW.toKind <> 'metric'
AND NOT (NEW.toKind = 'experiment_group' AND NEW.fromKind <> 'layer')
AND NOT EXISTS (SELECT 1 FROM `anchors` WHERE kind = NEW.toKind AND id = NEW.toID)
BEGIN SELECT RAISE(ABORT, 'console: unknown reference'); END;
--> statement-breakpoint
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions`
WHERE kind IN ('gate', 'dynamic_config', 'segment', 'experiment', 'release_pipeline', 'release_pipeline_trigger');
