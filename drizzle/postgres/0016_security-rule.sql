DROP INDEX "version_underived";--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null or kinds not like '%:3/%';--> statement-breakpoint
-- Counts were made by other rules. The end of the upgrade makes them again.
UPDATE "version" SET "kinds" = NULL;
