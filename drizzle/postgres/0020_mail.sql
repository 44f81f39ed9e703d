ALTER TABLE "team" ADD COLUMN "subscribe_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "subscribe_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "hook" ADD COLUMN "unsubscribe_url" text COLLATE "C";