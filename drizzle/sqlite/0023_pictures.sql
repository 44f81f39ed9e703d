CREATE TABLE `picture` (
	`changelog_id` text NOT NULL,
	`id` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	`unshown_at` integer,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`changelog_id`, `id`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "picture_kind" CHECK(kind in ('png', 'jpeg', 'webp', 'gif'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `version_picture` (
	`changelog_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer NOT NULL,
	`version_id` text NOT NULL,
	PRIMARY KEY(`changelog_id`, `picture_id`, `status`, `published_at`, `version_id`),
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `version_picture_version` ON `version_picture` (`version_id`);--> statement-breakpoint
ALTER TABLE `version` ADD `pictures` text;--> statement-breakpoint
CREATE TRIGGER `version_illustrated` AFTER INSERT ON `version` WHEN new.`pictures` IS NOT NULL BEGIN
	INSERT INTO `version_picture` (`changelog_id`, `picture_id`, `status`, `published_at`, `version_id`)
	SELECT new.`changelog_id`, `value`, new.`status`, new.`published_at`, new.`id` FROM json_each(new.`pictures`);
END;
--> statement-breakpoint
CREATE TRIGGER `version_pictures_changed` AFTER UPDATE OF `pictures`, `changelog_id`, `status`, `published_at` ON `version`
WHEN new.`pictures` IS NOT NULL OR old.`pictures` IS NOT NULL BEGIN
	DELETE FROM `version_picture` WHERE `version_id` = new.`id`;
	INSERT INTO `version_picture` (`changelog_id`, `picture_id`, `status`, `published_at`, `version_id`)
	SELECT new.`changelog_id`, `value`, new.`status`, new.`published_at`, new.`id` FROM json_each(new.`pictures`);
END;
