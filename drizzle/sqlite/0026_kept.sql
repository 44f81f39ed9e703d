CREATE TABLE `kept` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`act` text NOT NULL,
	`who` text,
	`team_id` text NOT NULL,
	`product_id` text,
	`version_id` text,
	`head` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `kept_at` ON `kept` (`at`);--> statement-breakpoint
CREATE INDEX `kept_product` ON `kept` (`product_id`,`at`);--> statement-breakpoint
CREATE INDEX `kept_version` ON `kept` (`version_id`,`at`);--> statement-breakpoint
CREATE TABLE `kept_part` (
	`kept_id` text NOT NULL,
	`position` integer NOT NULL,
	`bytes` blob NOT NULL,
	PRIMARY KEY(`kept_id`, `position`),
	FOREIGN KEY (`kept_id`) REFERENCES `kept`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
DROP INDEX `version_underived`;--> statement-breakpoint
CREATE INDEX `version_underived` ON `version` (`id`) WHERE kinds is null or derived_by is null or derived_by < 4;