CREATE TABLE `former_label` (
	`changelog_id` text NOT NULL,
	`label` text NOT NULL,
	`version_id` text NOT NULL,
	PRIMARY KEY(`changelog_id`, `label`),
	FOREIGN KEY (`changelog_id`) REFERENCES `changelog`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_label_version` ON `former_label` (`version_id`);--> statement-breakpoint
CREATE TABLE `public_product` (
	`team_slug` text NOT NULL,
	`product_slug` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`team_slug`, `product_slug`),
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `public_product_product_id_unique` ON `public_product` (`product_id`);--> statement-breakpoint
ALTER TABLE `version` ADD `date_known` integer DEFAULT true NOT NULL;
