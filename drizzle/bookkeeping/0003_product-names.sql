ALTER TABLE `worker_announced` ADD `product_name` text;--> statement-breakpoint
ALTER TABLE `worker_delivery` ADD `product_name` text;