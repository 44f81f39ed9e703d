ALTER TABLE "version" DROP CONSTRAINT "version_status";--> statement-breakpoint
CREATE INDEX "version_scheduled" ON "version" USING btree ("published_at") WHERE status = 'scheduled';--> statement-breakpoint
ALTER TABLE "version" ADD CONSTRAINT "version_status" CHECK (status in ('draft', 'published', 'scheduled'));