-- Tells the copies of databases in one bucket apart. It stays when the content is replaced, so it is no table of the schema.
CREATE TABLE `database_id` (
	`id` text PRIMARY KEY NOT NULL
) STRICT;
--> statement-breakpoint
INSERT INTO `database_id` VALUES (lower(hex(randomblob(6))));
