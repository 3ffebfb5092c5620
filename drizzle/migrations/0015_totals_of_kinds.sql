-- These count by team, or by owner, apart from what tells how many there are: the scheduler counts them again.
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions` WHERE kind IN
('dynamic_config', 'holdout', 'key', 'layer', 'metric', 'param_store', 'prompt');
