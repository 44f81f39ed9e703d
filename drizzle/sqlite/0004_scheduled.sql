-- A rebuild, because a rule cannot be changed: a version may be scheduled now. Renaming checks the triggers on `change`, which
-- name the table that is gone meanwhile, so they are created again. Some databases of schema 2 have none yet.
DROP TRIGGER IF EXISTS `change_added`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `change_removed`;--> statement-breakpoint
DROP TRIGGER IF EXISTS `change_moved`;--> statement-breakpoint
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
	`imported` text,
	PRIMARY KEY(`changelog_id`, `published_at`, `id`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "version_status" CHECK(status in ('draft', 'published', 'scheduled')),
	CONSTRAINT "version_dated" CHECK(dated in (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO `__new_version`
SELECT `id`, `changelog_id`, `label`, `title`, `status`, `published_at`, `dated`, `created_at`, `change_count`, `description`, `imported`
FROM `version`;
--> statement-breakpoint
DROP TABLE `version`;--> statement-breakpoint
ALTER TABLE `__new_version` RENAME TO `version`;--> statement-breakpoint
CREATE UNIQUE INDEX `version_id_unique` ON `version` (`id`);--> statement-breakpoint
CREATE INDEX `version_scheduled` ON `version` (`published_at`) WHERE status = 'scheduled';--> statement-breakpoint
CREATE UNIQUE INDEX `version_label` ON `version` (`changelog_id`,`label`);--> statement-breakpoint
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
