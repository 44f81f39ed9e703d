CREATE TABLE `former_label` (
	`changelog_id` text NOT NULL,
	`label` text NOT NULL,
	`version_id` text NOT NULL,
	PRIMARY KEY(`changelog_id`, `label`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_label_version` ON `former_label` (`version_id`);--> statement-breakpoint
CREATE TABLE `public_product` (
	`team_slug` text NOT NULL,
	`product_slug` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`team_slug`, `product_slug`),
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `public_product_product_id_unique` ON `public_product` (`product_id`);--> statement-breakpoint
ALTER TABLE `version` ADD `date_known` integer DEFAULT true NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `version_public` ON `version` (`changelog_id`,`status`,`published_at`,`id`) WHERE status <> 'draft';--> statement-breakpoint
-- Whoever writes, a program of the older schema too, which may only have waited for this migration to end. What is deleted
-- takes its row along.
INSERT INTO `public_product`
	SELECT `team`.`slug`, `product`.`slug`, `product`.`id`
	FROM `team` JOIN `product` ON `product`.`team_id` = `team`.`id` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id`
	WHERE `team`.`visibility` = 'public' AND `product`.`status` = 'published' AND `changelog`.`status` = 'published';
--> statement-breakpoint
CREATE TRIGGER `team_listed` AFTER UPDATE OF `slug`, `visibility` ON `team` BEGIN
	DELETE FROM `public_product` WHERE `product_id` IN (SELECT `id` FROM `product` WHERE `team_id` = new.`id`);
	INSERT OR REPLACE INTO `public_product`
	SELECT `team`.`slug`, `product`.`slug`, `product`.`id`
	FROM `team` JOIN `product` ON `product`.`team_id` = `team`.`id` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id`
	WHERE `team`.`id` = new.`id` AND `team`.`visibility` = 'public' AND `product`.`status` = 'published' AND `changelog`.`status` = 'published';
END;
--> statement-breakpoint
CREATE TRIGGER `product_listed` AFTER UPDATE OF `team_id`, `slug`, `status` ON `product` BEGIN
	DELETE FROM `public_product` WHERE `product_id` = old.`id`;
	INSERT OR REPLACE INTO `public_product`
	SELECT `team`.`slug`, `product`.`slug`, `product`.`id`
	FROM `team` JOIN `product` ON `product`.`team_id` = `team`.`id` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id`
	WHERE `product`.`id` = new.`id` AND `team`.`visibility` = 'public' AND `product`.`status` = 'published' AND `changelog`.`status` = 'published';
END;
--> statement-breakpoint
CREATE TRIGGER `changelog_added` AFTER INSERT ON `changelog` BEGIN
	INSERT OR REPLACE INTO `public_product`
	SELECT `team`.`slug`, `product`.`slug`, `product`.`id`
	FROM `team` JOIN `product` ON `product`.`team_id` = `team`.`id` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id`
	WHERE `changelog`.`id` = new.`id` AND `team`.`visibility` = 'public' AND `product`.`status` = 'published' AND `changelog`.`status` = 'published';
END;
--> statement-breakpoint
CREATE TRIGGER `changelog_listed` AFTER UPDATE OF `product_id`, `status` ON `changelog` BEGIN
	DELETE FROM `public_product` WHERE `product_id` = old.`product_id`;
	INSERT OR REPLACE INTO `public_product`
	SELECT `team`.`slug`, `product`.`slug`, `product`.`id`
	FROM `team` JOIN `product` ON `product`.`team_id` = `team`.`id` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id`
	WHERE `changelog`.`id` = new.`id` AND `team`.`visibility` = 'public' AND `product`.`status` = 'published' AND `changelog`.`status` = 'published';
END;
--> statement-breakpoint
CREATE TRIGGER `changelog_removed` AFTER DELETE ON `changelog` BEGIN
	DELETE FROM `public_product` WHERE `product_id` = old.`product_id`;
END;
