ALTER TABLE `product` ADD `repository` text;--> statement-breakpoint
ALTER TABLE `product` ADD `language` text;--> statement-breakpoint
ALTER TABLE `version` ADD `closing` text;--> statement-breakpoint
ALTER TABLE `version` ADD `kinds` text;--> statement-breakpoint
ALTER TABLE `version` ADD `precedence` text;--> statement-breakpoint
CREATE INDEX `version_precedence` ON `version` (`changelog_id`,`status`,`precedence`);--> statement-breakpoint
CREATE INDEX `version_underived` ON `version` (`id`) WHERE kinds is null;--> statement-breakpoint
-- A version whose changes or label change forgets what was derived from them. `kinds` begins with the number of changes it is
-- about, so that a version can be added with it, and its changes after it.
DROP TRIGGER `change_added`;--> statement-breakpoint
DROP TRIGGER `change_removed`;--> statement-breakpoint
DROP TRIGGER `change_moved`;--> statement-breakpoint
CREATE TRIGGER `change_added` AFTER INSERT ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` + 1,
		`kinds` = CASE WHEN CAST(`kinds` AS INTEGER) > `change_count` THEN `kinds` END
	WHERE `id` = new.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_removed` AFTER DELETE ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` - 1, `kinds` = NULL WHERE `id` = old.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_moved` AFTER UPDATE OF `version_id` ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` - 1, `kinds` = NULL WHERE `id` = old.`version_id`;
	UPDATE `version` SET `change_count` = `change_count` + 1, `kinds` = NULL WHERE `id` = new.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_edited` AFTER UPDATE OF `type`, `type_label`, `title`, `description` ON `change`
WHEN new.`type` <> old.`type` OR new.`type_label` IS NOT old.`type_label` OR new.`title` <> old.`title` OR new.`description` IS NOT old.`description` BEGIN
	UPDATE `version` SET `kinds` = NULL WHERE `id` = new.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `version_relabelled` AFTER UPDATE OF `label` ON `version` WHEN new.`label` <> old.`label` BEGIN
	UPDATE `version` SET `kinds` = NULL, `precedence` = NULL WHERE `id` = new.`id`;
END;
