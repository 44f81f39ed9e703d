CREATE TABLE `former_address` (
	`team_slug` text NOT NULL,
	`product_slug` text NOT NULL,
	`product_id` text NOT NULL,
	PRIMARY KEY(`team_slug`, `product_slug`),
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_address_product` ON `former_address` (`product_id`);