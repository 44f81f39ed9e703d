CREATE TABLE `source` (
	`id` text PRIMARY KEY NOT NULL,
	`product_id` text NOT NULL,
	`url` text NOT NULL,
	`kind` text NOT NULL,
	`host_kind` text,
	`file` text,
	`ref` text,
	`tag_dates` integer NOT NULL,
	`tag_prefix` text,
	`every` integer NOT NULL,
	`prune` integer NOT NULL,
	`paused` integer NOT NULL,
	`token_file` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "source_kind" CHECK(kind in ('auto', 'file', 'releases', 'tags')),
	CONSTRAINT "source_host_kind" CHECK(host_kind in ('github', 'gitlab', 'forgejo', 'git'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `source_product_id_unique` ON `source` (`product_id`);
