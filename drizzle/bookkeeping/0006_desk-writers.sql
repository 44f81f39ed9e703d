CREATE TABLE `worker_writer` (
	`version_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`at` integer NOT NULL,
	`state` text NOT NULL
) STRICT;
