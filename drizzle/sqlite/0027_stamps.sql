DROP INDEX `version_underived`;--> statement-breakpoint
CREATE INDEX `version_underived` ON `version` (`id`) WHERE kinds is null or derived_by is null or derived_by < 6;--> statement-breakpoint
ALTER TABLE `changelog` ADD `revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Whoever writes. The number is random, as a restored file that is then edited must not come to one that it had: a server would take
-- what it keeps for the same. Changes that are added or removed touch their version anyway.
CREATE TRIGGER `stamp_version_added` AFTER INSERT ON `version` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_version_edited` AFTER UPDATE ON `version` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`, new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_version_removed` AFTER DELETE ON `version` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_former_label_added` AFTER INSERT ON `former_label` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_former_label_edited` AFTER UPDATE ON `former_label` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`, new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_former_label_removed` AFTER DELETE ON `former_label` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_picture_added` AFTER INSERT ON `picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_picture_edited` AFTER UPDATE OF `changelog_id`, `id`, `kind`, `bytes` ON `picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`, new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_picture_removed` AFTER DELETE ON `picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_version_source_added` AFTER INSERT ON `version_source` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (SELECT `changelog_id` FROM `version` WHERE `id` = new.`version_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_version_source_edited` AFTER UPDATE ON `version_source` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (SELECT `changelog_id` FROM `version` WHERE `id` IN (old.`version_id`, new.`version_id`));
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_version_source_removed` AFTER DELETE ON `version_source` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (SELECT `changelog_id` FROM `version` WHERE `id` = old.`version_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_change_edited` AFTER UPDATE ON `change` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (SELECT `changelog_id` FROM `version` WHERE `id` IN (old.`version_id`, new.`version_id`));
END;
