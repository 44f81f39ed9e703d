CREATE TABLE `version_source` (
	`version_id` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`hash` text NOT NULL,
	FOREIGN KEY (`version_id`) REFERENCES `version`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
