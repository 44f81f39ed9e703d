DROP INDEX "version_underived";--> statement-breakpoint
ALTER TABLE "changelog" ADD COLUMN "revision" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null or derived_by is null or derived_by < 6;--> statement-breakpoint
-- Whoever writes: the revision of the database at which something that a changelog shows was last written, once for all that a
-- transaction writes. The trigger that raises that one is first by its name. Changes that are added or removed touch their
-- version anyway.
CREATE FUNCTION "changelogd_stamp"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
	"affected" text[];
BEGIN
	IF TG_OP = 'TRUNCATE' THEN
		"affected" := ARRAY(SELECT "id" FROM "changelog");
	ELSIF TG_TABLE_NAME IN ('change', 'version_source') THEN
		IF TG_OP <> 'DELETE' THEN
			"affected" := ARRAY(SELECT "changelog_id" FROM "version" WHERE "id" IN (SELECT "version_id" FROM "added"));
		END IF;
		IF TG_OP <> 'INSERT' THEN
			"affected" := "affected" || ARRAY(SELECT "changelog_id" FROM "version" WHERE "id" IN (SELECT "version_id" FROM "removed"));
		END IF;
	ELSE
		IF TG_OP <> 'DELETE' THEN
			"affected" := ARRAY(SELECT DISTINCT "changelog_id" FROM "added");
		END IF;
		IF TG_OP <> 'INSERT' THEN
			"affected" := "affected" || ARRAY(SELECT DISTINCT "changelog_id" FROM "removed");
		END IF;
	END IF;
	UPDATE "changelog" SET "revision" = "changelogd"."revision" FROM "changelogd"
	WHERE "changelog"."id" = ANY ("affected") AND "changelog"."revision" <> "changelogd"."revision";
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- No temporary table of whoever writes is taken for one of ours.
DO $$ BEGIN
	EXECUTE format('ALTER FUNCTION "changelogd_stamp"() SET search_path = %I, pg_temp', current_schema());
END $$;
--> statement-breakpoint
CREATE TRIGGER "version_stamped_added" AFTER INSERT ON "version" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_stamped_edited" AFTER UPDATE ON "version" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_stamped_removed" AFTER DELETE ON "version" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_stamped_emptied" AFTER TRUNCATE ON "version"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "former_label_stamped_added" AFTER INSERT ON "former_label" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "former_label_stamped_edited" AFTER UPDATE ON "former_label" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "former_label_stamped_removed" AFTER DELETE ON "former_label" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "former_label_stamped_emptied" AFTER TRUNCATE ON "former_label"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "picture_stamped_added" AFTER INSERT ON "picture" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "picture_stamped_edited" AFTER UPDATE ON "picture" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "picture_stamped_removed" AFTER DELETE ON "picture" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "picture_stamped_emptied" AFTER TRUNCATE ON "picture"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_source_stamped_added" AFTER INSERT ON "version_source" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_source_stamped_edited" AFTER UPDATE ON "version_source" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_source_stamped_removed" AFTER DELETE ON "version_source" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "version_source_stamped_emptied" AFTER TRUNCATE ON "version_source"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "change_stamped_edited" AFTER UPDATE ON "change" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_stamp"();--> statement-breakpoint
CREATE TRIGGER "change_stamped_emptied" AFTER TRUNCATE ON "change"
	EXECUTE FUNCTION "changelogd_stamp"();
