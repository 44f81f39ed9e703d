ALTER TABLE `team` ADD `subscribe_url` text;--> statement-breakpoint
ALTER TABLE `product` ADD `subscribe_url` text;--> statement-breakpoint
ALTER TABLE `hook` ADD `unsubscribe_url` text;