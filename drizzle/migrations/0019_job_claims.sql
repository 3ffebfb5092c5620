-- The claims of scheduled jobs, so that two runs of the scheduler do nothing twice.
CREATE TABLE `job_claims` (
	`job` text PRIMARY KEY NOT NULL,
	`leaseEnd` integer NOT NULL,
	`nextTime` integer NOT NULL
) STRICT, WITHOUT ROWID;
