DROP INDEX `version_underived`;--> statement-breakpoint
ALTER TABLE `version` ADD `derived_by` integer;--> statement-breakpoint
-- The rules that counts say they follow.
UPDATE `version` SET `derived_by` = 2 WHERE `kinds` LIKE '%:2/%';--> statement-breakpoint
CREATE INDEX `version_underived` ON `version` (`id`) WHERE kinds is null or derived_by is null or derived_by <> 2;
