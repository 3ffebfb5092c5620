-- The unit types of events and exposures become lower case, so that companyID and CompanyID are one type. D1 stops a
-- statement after 30 seconds, so each insert into this view changes a bounded number of rows.
CREATE VIEW `unit_type_steps` AS SELECT 1 AS step;
--> statement-breakpoint
-- Finds types by seeking, without a scan.
CREATE VIEW `old_types_of_events` AS
WITH RECURSIVE types (unitType) AS (
SELECT min(unitType) FROM `event_units`
UNION ALL
SELECT (SELECT min(unitType) FROM `event_units` WHERE unitType > types.unitType) FROM types WHERE unitType IS NOT NULL
)
SELECT unitType FROM types WHERE unitType <> lower(unitType);
--> statement-breakpoint
CREATE VIEW `old_types_of_exposures` AS
WITH RECURSIVE types (kind, id, start, unitType) AS (
SELECT DISTINCT kind, id, start, '' FROM `exposure_counts`
UNION ALL
SELECT kind, id, start, (
SELECT min(unitType) FROM `exposures` AS seen
WHERE seen.kind = types.kind AND seen.id = types.id AND seen.start = types.start AND seen.unitType > types.unitType
) FROM types WHERE unitType IS NOT NULL
)
SELECT kind, id, start, unitType FROM types WHERE unitType <> lower(unitType);
--> statement-breakpoint
CREATE TRIGGER `unit_type_steps_taken` INSTEAD OF INSERT ON `unit_type_steps`
BEGIN
UPDATE OR REPLACE `event_units` SET unitType = lower(unitType)
WHERE (unitType, unitID, name, timestamp, seq) IN (
SELECT own.unitType, own.unitID, own.name, own.timestamp, own.seq
FROM `old_types_of_events` AS old CROSS JOIN `event_units` AS own ON own.unitType = old.unitType LIMIT 100000
);
UPDATE OR IGNORE `exposures` SET unitType = lower(unitType)
WHERE (kind, id, start, unitType, unit, `group`) IN (
SELECT own.kind, own.id, own.start, own.unitType, own.unit, own.`group`
FROM `old_types_of_exposures` AS old CROSS JOIN `exposures` AS own
ON own.kind = old.kind AND own.id = old.id AND own.start = old.start AND own.unitType = old.unitType LIMIT 100000
);
END;
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
INSERT INTO `unit_type_steps` VALUES (1);
--> statement-breakpoint
-- The rows beyond these steps, and units that were exposed under several spellings: the earliest exposure stays.
UPDATE OR REPLACE `event_units` SET unitType = lower(unitType)
WHERE unitType IN (SELECT unitType FROM `old_types_of_events`);
--> statement-breakpoint
INSERT INTO `exposures` (kind, id, start, unitType, unit, `group`, firstTime, draw, attributes)
SELECT kind, id, start, lower(unitType), unit, `group`, firstTime, draw, attributes
FROM `exposures` WHERE unitType <> lower(unitType)
ON CONFLICT DO UPDATE SET firstTime = excluded.firstTime, attributes = excluded.attributes
WHERE excluded.firstTime < firstTime;
--> statement-breakpoint
UPDATE `exposure_counts` SET units = (
SELECT count(*) FROM `exposures` AS seen
WHERE seen.kind = `exposure_counts`.kind AND seen.id = `exposure_counts`.id AND seen.start = `exposure_counts`.start
AND seen.`group` = `exposure_counts`.`group` AND seen.unitType = lower(seen.unitType)
)
WHERE (kind, id, start, `group`) IN (SELECT kind, id, start, `group` FROM `exposures` WHERE unitType <> lower(unitType));
--> statement-breakpoint
DELETE FROM `exposures` WHERE unitType <> lower(unitType);
--> statement-breakpoint
DROP VIEW `unit_type_steps`;
--> statement-breakpoint
DROP VIEW `old_types_of_events`;
--> statement-breakpoint
DROP VIEW `old_types_of_exposures`;
