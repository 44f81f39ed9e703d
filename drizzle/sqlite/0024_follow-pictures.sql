ALTER TABLE `source` ADD `pictures` integer DEFAULT true NOT NULL;--> statement-breakpoint
-- What was followed before keeps its text: taking pictures in edits each release that shows one.
UPDATE `source` SET `pictures` = false;
