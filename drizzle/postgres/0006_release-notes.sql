ALTER TABLE "product" ADD COLUMN "repository" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "product" ADD COLUMN "language" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "closing" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "kinds" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "precedence" text COLLATE "C";--> statement-breakpoint
CREATE INDEX "version_precedence" ON "version" USING btree ("changelog_id","status","precedence");--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null;--> statement-breakpoint
-- A version whose changes or label change forgets what was derived from them, whoever writes, a program of the older schema
-- too. `kinds` begins with the number of changes it is about, so that a version can be added with it, and its changes after it.
CREATE OR REPLACE FUNCTION "changelogd_count_changes"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE "version" SET "change_count" = "change_count" + "counted"."changes",
			"kinds" = CASE WHEN split_part("kinds", ':', 1)::bigint >= "change_count" + "counted"."changes" THEN "kinds" END
		FROM (SELECT "version_id", count(*) AS "changes" FROM "added" GROUP BY "version_id") AS "counted"
		WHERE "version"."id" = "counted"."version_id";
	ELSIF TG_OP = 'DELETE' THEN
		UPDATE "version" SET "change_count" = "change_count" - "counted"."changes", "kinds" = NULL
		FROM (SELECT "version_id", count(*) AS "changes" FROM "removed" GROUP BY "version_id") AS "counted"
		WHERE "version"."id" = "counted"."version_id";
	ELSE
		UPDATE "version" SET "change_count" = "change_count" + "counted"."changes", "kinds" = NULL
		FROM (
			SELECT "version_id", sum("change") AS "changes" FROM (
				SELECT "version_id", 1 AS "change" FROM "added"
				UNION ALL SELECT "version_id", -1 FROM "removed"
			) AS "edited" GROUP BY "version_id"
		) AS "counted"
		WHERE "version"."id" = "counted"."version_id" AND ("counted"."changes" <> 0 OR "version"."kinds" IS NOT NULL);
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "changelogd_relabel"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."kinds" := NULL;
	NEW."precedence" := NULL;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "version_relabelled" BEFORE UPDATE OF "label" ON "version"
	FOR EACH ROW WHEN (NEW."label" IS DISTINCT FROM OLD."label") EXECUTE FUNCTION "changelogd_relabel"();
