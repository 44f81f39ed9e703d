PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_hook` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`product_id` text,
	`kind` text NOT NULL,
	`url` text,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`name` text,
	`events` text,
	`stable` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `team`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`,`team_id`) REFERENCES `product`(`id`,`team_id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "hook_status" CHECK(status in ('active', 'disabled'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_hook`("id", "team_id", "product_id", "kind", "url", "status", "created_at", "name", "events", "stable") SELECT "id", "team_id", "product_id", "kind", "url", "status", "created_at", "name", "events", "stable" FROM `hook`;--> statement-breakpoint
DROP TABLE `hook`;--> statement-breakpoint
ALTER TABLE `__new_hook` RENAME TO `hook`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `hook_name` ON `hook` (`team_id`,`name`);--> statement-breakpoint
CREATE INDEX `hook_team` ON `hook` (`team_id`);--> statement-breakpoint
CREATE INDEX `hook_product` ON `hook` (`product_id`);