-- The metrics of priors, covariates and strata are named as well: the scheduler finds what names what anew.
INSERT OR IGNORE INTO `pending` (kind)
SELECT DISTINCT kind FROM `revisions` WHERE kind = 'experiment';
