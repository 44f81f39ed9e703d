ALTER TABLE `version` ADD `prerelease` integer;--> statement-breakpoint
ALTER TABLE `version` ADD `yanked` text;--> statement-breakpoint
CREATE UNIQUE INDEX `version_stable` ON `version` (`changelog_id`,`status`,`published_at`,`id`) WHERE prerelease is not true and (precedence is null or rtrim(precedence, '~') <> precedence);--> statement-breakpoint
ALTER TABLE `public_version` ADD `prerelease` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `public_stable_team` ON `public_version` (`team_id`,`prerelease`,`status`,`published_at`,`version_id`);--> statement-breakpoint
CREATE INDEX `public_stable` ON `public_version` (`status`,`prerelease`,`published_at`,`version_id`);--> statement-breakpoint
ALTER TABLE `source` ADD `stable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `hook` ADD `stable` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Whether a version is a pre-release follows from its label and from what its host says, as in the index `version_stable`.
UPDATE `public_version` SET `prerelease` = 1 WHERE `version_id` IN (
	SELECT `id` FROM `version` WHERE NOT (prerelease is not true and (precedence is null or rtrim(precedence, '~') <> precedence))
);
--> statement-breakpoint
DROP TRIGGER `public_product_added`;--> statement-breakpoint
DROP TRIGGER `version_added`;--> statement-breakpoint
DROP TRIGGER `version_edited`;--> statement-breakpoint
DROP TRIGGER `version_reworded`;--> statement-breakpoint
CREATE TRIGGER `public_product_added` AFTER INSERT ON `public_product` BEGIN
	INSERT OR REPLACE INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT `version`.`id`, `product`.`team_id`, `version`.`status`, `version`.`published_at`,
		NOT (`version`.`prerelease` is not true and (`version`.`precedence` is null or rtrim(`version`.`precedence`, '~') <> `version`.`precedence`))
	FROM `product` JOIN `changelog` ON `changelog`.`product_id` = `product`.`id` JOIN `version` ON `version`.`changelog_id` = `changelog`.`id`
	WHERE `product`.`id` = new.`product_id` AND `version`.`status` <> 'draft';
END;
--> statement-breakpoint
CREATE TRIGGER `version_added` AFTER INSERT ON `version` WHEN new.`status` <> 'draft' BEGIN
	INSERT INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`,
		NOT (new.`prerelease` is not true and (new.`precedence` is null or rtrim(new.`precedence`, '~') <> new.`precedence`))
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `version_edited` AFTER UPDATE OF `changelog_id`, `status`, `published_at` ON `version` BEGIN
	DELETE FROM `public_version` WHERE `version_id` = new.`id`;
	INSERT INTO `public_version` (`version_id`, `team_id`, `status`, `published_at`, `prerelease`)
	SELECT new.`id`, `product`.`team_id`, new.`status`, new.`published_at`,
		NOT (new.`prerelease` is not true and (new.`precedence` is null or rtrim(new.`precedence`, '~') <> new.`precedence`))
	FROM `changelog` JOIN `public_product` ON `public_product`.`product_id` = `changelog`.`product_id` JOIN `product` ON `product`.`id` = `changelog`.`product_id`
	WHERE `changelog`.`id` = new.`changelog_id` AND new.`status` <> 'draft';
END;
--> statement-breakpoint
-- Whoever writes the label, a program of an older schema too: its precedence is written after it.
CREATE TRIGGER `version_stabilized` AFTER UPDATE OF `precedence`, `prerelease` ON `version`
WHEN new.`precedence` IS NOT old.`precedence` OR new.`prerelease` IS NOT old.`prerelease` BEGIN
	UPDATE `public_version` SET `prerelease` =
		NOT (new.`prerelease` is not true and (new.`precedence` is null or rtrim(new.`precedence`, '~') <> new.`precedence`))
	WHERE `version_id` = new.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `version_reworded` AFTER UPDATE OF `title`, `published_at`, `dated`, `date_known`, `description`, `closing`, `yanked` ON `version`
WHEN new.`title` <> old.`title` OR new.`published_at` <> old.`published_at` OR new.`dated` <> old.`dated` OR new.`date_known` <> old.`date_known`
	OR new.`description` IS NOT old.`description` OR new.`closing` IS NOT old.`closing` OR new.`yanked` IS NOT old.`yanked` BEGIN
	UPDATE `version` SET `kinds` = NULL WHERE `id` = new.`id`;
END;
--> statement-breakpoint
-- Imports used to have the remark behind the label.
UPDATE `version` SET `title` = `label`, `yanked` = ''
WHERE lower(`title`) = lower(`label`) || ' [yanked]' AND coalesce(`imported`, '') NOT LIKE '%title:%';
