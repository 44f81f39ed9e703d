CREATE TABLE `changelog` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`preamble` text,
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "changelog_status" CHECK(status in ('draft', 'published', 'locked'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `changelog_product_id_unique` ON `changelog` (`product_id`);--> statement-breakpoint
CREATE TABLE `change` (
	`id` text PRIMARY KEY NOT NULL,
	`version_id` text NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `change_order` ON `change` (`version_id`,`position`,`id`);--> statement-breakpoint
CREATE TABLE `api_key_product` (
	`key_id` text NOT NULL,
	`product_id` text NOT NULL,
	`team_id` text NOT NULL,
	PRIMARY KEY(`key_id`, `product_id`),
	FOREIGN KEY (`key_id`,`team_id`) REFERENCES `api_key`(`id`,`team_id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`,`team_id`) REFERENCES `product`(`id`,`team_id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_key_product_product` ON `api_key_product` (`product_id`);--> statement-breakpoint
CREATE TABLE `api_key_token` (
	`hash` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`start` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`key_id`) REFERENCES `api_key`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_key_token_key` ON `api_key_token` (`key_id`);--> statement-breakpoint
CREATE TABLE `api_key` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`label` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `team`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "api_key_kind" CHECK(kind in ('FULL', 'SELECT')),
	CONSTRAINT "api_key_status" CHECK(status in ('active', 'disabled'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `api_key_team` ON `api_key` (`team_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_key_id_team` ON `api_key` (`id`,`team_id`);--> statement-breakpoint
CREATE TABLE `product` (
	`id` text PRIMARY KEY NOT NULL,
	`team_id` text NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `team`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "product_status" CHECK(status in ('draft', 'published', 'locked'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `product_slug` ON `product` (`team_id`,`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `product_team` ON `product` (`id`,`team_id`);--> statement-breakpoint
CREATE TABLE `team` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`name` text NOT NULL,
	`visibility` text NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "team_visibility" CHECK(visibility in ('public', 'private')),
	CONSTRAINT "team_plan" CHECK(plan in ('free', 'paid'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `team_slug_unique` ON `team` (`slug`);--> statement-breakpoint
CREATE TABLE `version` (
	`id` text NOT NULL,
	`changelog_id` text NOT NULL,
	`label` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`published_at` integer NOT NULL,
	`dated` integer NOT NULL,
	`created_at` integer NOT NULL,
	`description` text,
	PRIMARY KEY(`changelog_id`, `published_at`, `id`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "version_status" CHECK(status in ('draft', 'published')),
	CONSTRAINT "version_dated" CHECK(dated in (0, 1))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `version_id_unique` ON `version` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `version_label` ON `version` (`changelog_id`,`label`);