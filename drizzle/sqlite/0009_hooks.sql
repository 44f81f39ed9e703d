CREATE TABLE `hook` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`product_id` text,
	`kind` text NOT NULL,
	`url` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `team`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`,`team_id`) REFERENCES `product`(`id`,`team_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "hook_kind" CHECK(kind in ('webhook', 'slack', 'discord', 'teams', 'websub')),
	CONSTRAINT "hook_status" CHECK(status in ('active', 'disabled'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `hook_team` ON `hook` (`team_id`);--> statement-breakpoint
CREATE INDEX `hook_product` ON `hook` (`product_id`);--> statement-breakpoint
ALTER TABLE `version` ADD `edition` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A version whose text changes forgets what was derived, whoever writes: then the end of the transaction, which derives it again,
-- also gives it another edition.
CREATE TRIGGER `version_reworded` AFTER UPDATE OF `title`, `published_at`, `dated`, `date_known`, `description`, `closing` ON `version`
WHEN new.`title` <> old.`title` OR new.`published_at` <> old.`published_at` OR new.`dated` <> old.`dated` OR new.`date_known` <> old.`date_known`
	OR new.`description` IS NOT old.`description` OR new.`closing` IS NOT old.`closing` BEGIN
	UPDATE `version` SET `kinds` = NULL WHERE `id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_reordered` AFTER UPDATE OF `position` ON `change` WHEN new.`position` <> old.`position` BEGIN
	UPDATE `version` SET `kinds` = NULL WHERE `id` = new.`version_id`;
END;
