CREATE TABLE `derived_picture` (
	`changelog_id` text NOT NULL,
	`picture_id` text NOT NULL,
	`ground` integer NOT NULL,
	`small` blob,
	`card` blob,
	PRIMARY KEY(`changelog_id`, `picture_id`),
	FOREIGN KEY (`changelog_id`,`picture_id`) REFERENCES `picture`(`changelog_id`,`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "derived_picture_ground" CHECK(ground in (0, 1))
) STRICT;

--> statement-breakpoint
CREATE TRIGGER `stamp_derived_picture_added` AFTER INSERT ON `derived_picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_derived_picture_edited` AFTER UPDATE ON `derived_picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`, new.`changelog_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `stamp_derived_picture_removed` AFTER DELETE ON `derived_picture` BEGIN
	UPDATE `changelog` SET `revision` = random() & 0xfffffffffffff WHERE `id` IN (old.`changelog_id`);
END;
