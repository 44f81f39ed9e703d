CREATE TABLE `worker_announce_round` (
	`id` text PRIMARY KEY NOT NULL,
	`round` integer NOT NULL,
	`seen_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `worker_announced` (
	`version_id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`product_id` text NOT NULL,
	`label` text NOT NULL,
	`edition` integer,
	`hash` text NOT NULL,
	`published_in` integer NOT NULL,
	`updated_in` integer,
	`withdrawn_in` integer,
	`pending_hash` text,
	`pending_since` integer,
	`pending_at` integer
) STRICT;
--> statement-breakpoint
CREATE TABLE `worker_hook` (
	`hook_id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`position` integer NOT NULL,
	`active` integer NOT NULL,
	`failing_since` integer,
	`stopped_at` integer,
	`reason` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `worker_delivery` (
	`id` text PRIMARY KEY NOT NULL,
	`hook_id` text NOT NULL,
	`round` integer NOT NULL,
	`type` text NOT NULL,
	`product_id` text NOT NULL,
	`topic` text NOT NULL,
	`version_ids` text NOT NULL,
	`label` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_at` integer NOT NULL,
	`claimed_until` integer,
	`body` text,
	`tried_at` integer,
	`took_ms` integer,
	`status` integer,
	`answer` text
) STRICT;
--> statement-breakpoint
CREATE INDEX `worker_delivery_due` ON `worker_delivery` (`next_at`,`hook_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `worker_delivery_hook` ON `worker_delivery` (`hook_id`,`round`,`id`);--> statement-breakpoint
CREATE TABLE `worker_hook_secret` (
	`hook_id` text NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`hook_id`, `secret`)
) STRICT;
