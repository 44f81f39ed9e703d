CREATE TABLE "version_source" (
	"version_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"text" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "version_source" ADD CONSTRAINT "version_source_version_id_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE TRIGGER "version_source_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "version_source"
	EXECUTE FUNCTION "changelogd_raise_revision"();
