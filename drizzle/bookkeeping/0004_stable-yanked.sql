ALTER TABLE `worker_announced` ADD `stable_in` integer;--> statement-breakpoint
-- What was announced so far counts as stable since then; what is no such release is noticed at the next comparison.
UPDATE `worker_announced` SET `stable_in` = `published_in`;
