-- Timelines hold dated versions only: one file without dates would bury the releases of all other products.
DELETE FROM `public_version` WHERE `version_id` IN (SELECT `id` FROM `version` WHERE NOT `dated` AND NOT `date_known`);
--> statement-breakpoint
DROP TRIGGER `public_product_added`;--> statement-breakpoint
DROP TRIGGER `version_added`;--> statement-breakpoint
DROP TRIGGER `version_edited`;--> statement-breakpoint
CREATE TRIGGER `public_product_added` AFTER INSERT ON `public_product` BEGIN
	INSERT OR REPLACE INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT `version`.`id`, `product`.`team_id`, `version`.`status`, `version`.`published_at`,
		NOT (`version`.`prerelease` is not true and (`version`.`precedence` is null or rtrim(`version`.`precedence`, '~') <> `version`.`precedence`))
	FROM `product` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id` JOIN `version` ON `version`.`changelog_id` = `changelog`.`id`
	WHERE `product`.`id` = new.`product_id` AND `version`.`status` <> 'draft' AND (`version`.`dated` OR `version`.`date_known`);
END;
--> statement-breakpoint
CREATE TRIGGER `version_added` AFTER INSERT ON `version` WHEN new.`status` <> 'draft' AND (new.`dated` OR new.`date_known`) BEGIN
	INSERT INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`,
		NOT (new.`prerelease` is not true and (new.`precedence` is null or rtrim(new.`precedence`, '~') <> new.`precedence`))
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `version_edited` AFTER UPDATE OF `changelog_id`, `status`, `published_at`, `dated`, `date_known` ON `version` BEGIN
	DELETE FROM `public_version` WHERE `version_id` = new.`id`;
	INSERT INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`,
		NOT (new.`prerelease` is not true and (new.`precedence` is null or rtrim(new.`precedence`, '~') <> new.`precedence`))
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id` AND new.`status` <> 'draft' AND (new.`dated` OR new.`date_known`);
END;
