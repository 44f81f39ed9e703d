CREATE TABLE `worker_quiet` (
	`version_id` text NOT NULL,
	`hook_id` text NOT NULL,
	PRIMARY KEY(`version_id`, `hook_id`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `worker_told` ADD `at` integer;