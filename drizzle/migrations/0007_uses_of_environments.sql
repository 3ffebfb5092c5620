-- These count the environments that they name as well: the scheduler counts them again.
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions` WHERE kind IN
('dynamic_config', 'experiment', 'gate', 'key', 'layer', 'release_pipeline', 'release_pipeline_trigger', 'segment');
