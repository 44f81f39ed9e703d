-- A rebuild, not ADD: the new column has to stand before the description, which lists are read without.
CREATE TABLE `__new_version` (
	`id` text NOT NULL,
	`changelog_id` text NOT NULL,
	`label` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer NOT NULL,
	`dated` integer NOT NULL,
	`created_at` integer NOT NULL,
	`change_count` integer DEFAULT 0 NOT NULL,
	`description` text,
	PRIMARY KEY(`changelog_id`, `published_at`, `id`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "version_status" CHECK(status in ('draft', 'published')),
	CONSTRAINT "version_dated" CHECK(dated in (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_version`
SELECT `id`, `changelog_id`, `label`, `title`, `status`, `published_at`, `dated`, `created_at`,
	(SELECT count(*) FROM `change` WHERE `change`.`version_id` = `version`.`id`), `description`
FROM `version`;
--> statement-breakpoint
DROP TABLE `version`;--> statement-breakpoint
ALTER TABLE `__new_version` RENAME TO `version`;--> statement-breakpoint
CREATE UNIQUE INDEX `version_id_unique` ON `version` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `version_label` ON `version` (`changelog_id`,`label`);--> statement-breakpoint
-- Whoever writes a change, a program of the older schema too, which may only have waited for this migration to end.
CREATE TRIGGER `change_added` AFTER INSERT ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` + 1 WHERE `id` = new.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_removed` AFTER DELETE ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` - 1 WHERE `id` = old.`version_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `change_moved` AFTER UPDATE OF `version_id` ON `change` BEGIN
	UPDATE `version` SET `change_count` = `change_count` - 1 WHERE `id` = old.`version_id`;
	UPDATE `version` SET `change_count` = `change_count` + 1 WHERE `id` = new.`version_id`;
END;
