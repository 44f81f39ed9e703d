ALTER TABLE "source" ADD COLUMN "pictures" boolean DEFAULT true NOT NULL;--> statement-breakpoint
-- What was followed before keeps its text: taking pictures in edits each release that shows one.
UPDATE "source" SET "pictures" = false;
