DROP INDEX `version_underived`;--> statement-breakpoint
CREATE INDEX `version_underived` ON `version` (`id`) WHERE kinds is null or derived_by is null or derived_by < 7;--> statement-breakpoint
ALTER TABLE `hook` ADD `delay` integer;