CREATE TABLE "worker_quiet" (
	"version_id" text COLLATE "C" NOT NULL,
	"hook_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "worker_quiet_version_id_hook_id_pk" PRIMARY KEY("version_id","hook_id")
);
--> statement-breakpoint
DROP INDEX "version_underived";--> statement-breakpoint
ALTER TABLE "hook" ADD COLUMN "delay" integer;--> statement-breakpoint
ALTER TABLE "worker_told" ADD COLUMN "at" bigint;--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null or derived_by is null or derived_by < 7;