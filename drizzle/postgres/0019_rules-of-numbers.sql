DROP INDEX "version_underived";--> statement-breakpoint
ALTER TABLE "worker_announce_round" ADD COLUMN "rules" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "version_latest" ON "version" USING btree ((("changelog_id" || '') || ''),("status" || ''),"published_at","id") WHERE status <> 'draft' and yanked is null and prerelease is not true and (precedence is null or rtrim(precedence, '~') <> precedence);--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null or derived_by is null or derived_by < 3;