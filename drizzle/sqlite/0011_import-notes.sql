CREATE TABLE `import_note` (
	`product_id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`state` text NOT NULL,
	`result` text NOT NULL,
	FOREIGN KEY (`product_id`) REFERENCES `product`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
