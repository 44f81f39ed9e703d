CREATE TABLE "picture" (
	"changelog_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"unshown_at" bigint,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "picture_changelog_id_id_pk" PRIMARY KEY("changelog_id","id"),
	CONSTRAINT "picture_kind" CHECK (kind in ('png', 'jpeg', 'webp', 'gif'))
);
--> statement-breakpoint
CREATE TABLE "version_picture" (
	"changelog_id" text COLLATE "C" NOT NULL,
	"picture_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"published_at" bigint NOT NULL,
	"version_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "version_picture_key" PRIMARY KEY("changelog_id","picture_id","status","published_at","version_id")
);
--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "pictures" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "picture" ADD CONSTRAINT "picture_changelog_id_changelog_id_fk" FOREIGN KEY ("changelog_id") REFERENCES "changelog"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version_picture" ADD CONSTRAINT "version_picture_version_id_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "version_picture_version" ON "version_picture" USING btree ("version_id");--> statement-breakpoint
-- WebP is compressed already.
ALTER TABLE "picture" ALTER "bytes" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE TRIGGER "picture_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "picture"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE FUNCTION "changelogd_list_pictures"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	DELETE FROM "version_picture" WHERE "version_id" = NEW."id";
	INSERT INTO "version_picture" ("changelog_id", "picture_id", "status", "published_at", "version_id")
	SELECT NEW."changelog_id", "picture", NEW."status", NEW."published_at", NEW."id"
	FROM json_array_elements_text(NEW."pictures"::json) AS "picture";
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "version_illustrated" AFTER INSERT ON "version"
	FOR EACH ROW WHEN (NEW."pictures" IS NOT NULL) EXECUTE FUNCTION "changelogd_list_pictures"();--> statement-breakpoint
CREATE TRIGGER "version_pictures_changed" AFTER UPDATE OF "pictures", "changelog_id", "status", "published_at" ON "version"
	FOR EACH ROW WHEN (NEW."pictures" IS NOT NULL OR OLD."pictures" IS NOT NULL) EXECUTE FUNCTION "changelogd_list_pictures"();
