CREATE TABLE `worker_lease` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `worker_source_check` (
	`source_id` text PRIMARY KEY NOT NULL,
	`target` text NOT NULL,
	`memory` text NOT NULL,
	`checked_at` integer NOT NULL,
	`changed_at` integer,
	`next_at` integer NOT NULL,
	`size` integer,
	`failing_since` integer,
	`failures` integer NOT NULL,
	`reason` text,
	`remedy` text
) STRICT;
