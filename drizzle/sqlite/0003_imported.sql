ALTER TABLE `change` ADD `imported` text;--> statement-breakpoint
ALTER TABLE `version` ADD `imported` text;