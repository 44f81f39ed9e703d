CREATE TABLE "derived_picture" (
	"changelog_id" text COLLATE "C" NOT NULL,
	"picture_id" text COLLATE "C" NOT NULL,
	"ground" boolean NOT NULL,
	"small" "bytea",
	"card" "bytea",
	CONSTRAINT "derived_picture_key" PRIMARY KEY("changelog_id","picture_id")
);
--> statement-breakpoint
ALTER TABLE "derived_picture" ADD CONSTRAINT "derived_picture_of" FOREIGN KEY ("changelog_id","picture_id") REFERENCES "picture"("changelog_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Both are compressed already.
ALTER TABLE "derived_picture" ALTER "small" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "derived_picture" ALTER "card" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE TRIGGER "derived_picture_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "derived_picture"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "derived_picture_stamped_added" AFTER INSERT ON "derived_picture" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "derived_picture_stamped_edited" AFTER UPDATE ON "derived_picture" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "derived_picture_stamped_removed" AFTER DELETE ON "derived_picture" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "derived_picture_stamped_emptied" AFTER TRUNCATE ON "derived_picture"
	EXECUTE FUNCTION "changelogd_stamp"();
