ALTER TABLE `hook` ADD `name` text;--> statement-breakpoint
ALTER TABLE `hook` ADD `events` text;--> statement-breakpoint
UPDATE `hook` SET `events` = CASE WHEN `url` IS NULL THEN 'published,withdrawn' ELSE 'published,updated,withdrawn' END;--> statement-breakpoint
-- The host of its address, or the chat; with a number from the second one of a team on.
UPDATE `hook` SET `name` = `named`.`base` || CASE `named`.`number` WHEN 1 THEN '' ELSE '-' || `named`.`number` END
FROM (
	SELECT `id`, `base`, row_number() OVER (PARTITION BY `team_id`, `base` ORDER BY `id`) AS `number`
	FROM (
		SELECT `id`, `team_id`,
			substr(replace(replace(coalesce(substr(`rest`, 1, instr(`rest`, '/') - 1), `kind`), '[', ''), ']', ''), 1, 190) AS `base`
		FROM (SELECT `id`, `team_id`, `kind`, substr(`url`, instr(`url`, '://') + 3) || '/' AS `rest` FROM `hook`)
	)
) AS `named` WHERE `named`.`id` = `hook`.`id`;--> statement-breakpoint
-- If the host of another one is such a name, its id is its name.
UPDATE `hook` SET `name` = NULL WHERE EXISTS (
	SELECT 1 FROM `hook` AS `other`
	WHERE `other`.`team_id` = `hook`.`team_id` AND `other`.`name` = `hook`.`name` AND `other`.`id` < `hook`.`id`
);--> statement-breakpoint
CREATE UNIQUE INDEX `hook_name` ON `hook` (`team_id`,`name`);
