CREATE TABLE `worker_copy` (
	`place` text PRIMARY KEY NOT NULL,
	`newest_at` integer,
	`failing_since` integer,
	`reason` text,
	`remedy` text,
	`verified_at` integer,
	`fault` text
) STRICT;
