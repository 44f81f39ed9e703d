CREATE TABLE `public_version` (
	`version_id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `public_version_team` ON `public_version` (`team_id`,`status`,`published_at`,`version_id`);--> statement-breakpoint
CREATE INDEX `public_version_site` ON `public_version` (`status`,`published_at`,`version_id`);--> statement-breakpoint
CREATE INDEX `version_range` ON `version` (`changelog_id`,`status`,`published_at`,`id`,`precedence`) WHERE status <> 'draft' and precedence is not null;--> statement-breakpoint
-- What becomes public, or no longer is, brings its versions or takes them along: `public_product` has the rule. To write a row
-- again: UPDATE version SET status = status.
INSERT INTO `public_version`
	SELECT `version`.`id`, `product`.`team_id`, `version`.`status`, `version`.`published_at`
	FROM `public_product` JOIN `product` ON `product`.`id` = `public_product`.`product_id`
	JOIN `changelog` ON `changelog`.`product_id` = `product`.`id` JOIN `version` ON `version`.`changelog_id` = `changelog`.`id`
	WHERE `version`.`status` <> 'draft';
--> statement-breakpoint
CREATE TRIGGER `public_product_added` AFTER INSERT ON `public_product` BEGIN
	INSERT OR REPLACE INTO `public_version`
	SELECT `version`.`id`, `product`.`team_id`, `version`.`status`, `version`.`published_at`
	FROM `product` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id` JOIN `version` ON `version`.`changelog_id` = `changelog`.`id`
	WHERE `product`.`id` = new.`product_id` AND `version`.`status` <> 'draft';
END;
--> statement-breakpoint
CREATE TRIGGER `public_product_removed` AFTER DELETE ON `public_product` BEGIN
	DELETE FROM `public_version` WHERE `version_id` IN (
		SELECT `version`.`id` FROM `changelog` JOIN `version` ON `version`.`changelog_id` = `changelog`.`id`
		WHERE `changelog`.`product_id` = old.`product_id`
	);
END;
--> statement-breakpoint
CREATE TRIGGER `version_added` AFTER INSERT ON `version` WHEN new.`status` <> 'draft' BEGIN
	INSERT INTO `public_version`
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `version_edited` AFTER UPDATE OF `changelog_id`, `status`, `published_at` ON `version` BEGIN
	DELETE FROM `public_version` WHERE `version_id` = new.`id`;
	INSERT INTO `public_version`
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id` AND new.`status` <> 'draft';
END;
