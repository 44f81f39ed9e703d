CREATE TABLE `former_address` (
	`team_slug` text NOT NULL,
	`product_slug` text NOT NULL,
	`team_id` text NOT NULL,
	`product_id` text,
	PRIMARY KEY(`team_slug`, `product_slug`),
	FOREIGN KEY (`team_id`) REFERENCES `team`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_address_team` ON `former_address` (`team_id`);--> statement-breakpoint
CREATE INDEX `former_address_product` ON `former_address` (`product_id`);