ALTER TABLE "change" ADD COLUMN "imported" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "imported" text COLLATE "C";