-- What the program knows of the database: one row. Its table also tells whose database this is.
CREATE TABLE "changelogd" (
	"only" boolean PRIMARY KEY DEFAULT true CHECK ("only"),
	-- Raised once by every transaction that writes: nodes compare it with the one at which they read. It is the moment of
	-- that, in microseconds: what is written after commits were lost, in a failover or by a restore, has no number of theirs.
	"revision" bigint NOT NULL,
	"raised_by" xid8 NOT NULL,
	-- The schema, and the oldest schema of a program that can still read it.
	"schema" integer NOT NULL,
	"oldest_program" integer NOT NULL
);
--> statement-breakpoint
INSERT INTO "changelogd" ("revision", "raised_by", "schema", "oldest_program") VALUES (1, pg_current_xact_id(), 0, 0);
--> statement-breakpoint
CREATE FUNCTION "changelogd_raise_revision"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	UPDATE "changelogd" SET "raised_by" = pg_current_xact_id(),
		"revision" = greatest("revision" + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
	WHERE "raised_by" <> pg_current_xact_id();
	IF FOUND THEN
		PERFORM pg_notify('changelogd', '');
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "team_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "team"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "product_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "product"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "changelog_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "changelog"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "version_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "version"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "change_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "change"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "api_key_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "api_key"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "api_key_token_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "api_key_token"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE TRIGGER "api_key_product_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "api_key_product"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
-- Keeps version.change_count, once for all the changes that a statement writes.
CREATE FUNCTION "changelogd_count_changes"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		UPDATE "version" SET "change_count" = "change_count" + "counted"."changes"
		FROM (SELECT "version_id", count(*) AS "changes" FROM "added" GROUP BY "version_id") AS "counted"
		WHERE "version"."id" = "counted"."version_id";
	ELSIF TG_OP = 'DELETE' THEN
		UPDATE "version" SET "change_count" = "change_count" - "counted"."changes"
		FROM (SELECT "version_id", count(*) AS "changes" FROM "removed" GROUP BY "version_id") AS "counted"
		WHERE "version"."id" = "counted"."version_id";
	ELSE
		UPDATE "version" SET "change_count" = "change_count" + "counted"."changes"
		FROM (
			SELECT "version_id", sum("change") AS "changes" FROM (
				SELECT "version_id", 1 AS "change" FROM "added"
				UNION ALL SELECT "version_id", -1 FROM "removed"
			) AS "moved" GROUP BY "version_id" HAVING sum("change") <> 0
		) AS "counted"
		WHERE "version"."id" = "counted"."version_id";
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "change_added" AFTER INSERT ON "change" REFERENCING NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_count_changes"();--> statement-breakpoint
CREATE TRIGGER "change_removed" AFTER DELETE ON "change" REFERENCING OLD TABLE AS "removed"
	EXECUTE FUNCTION "changelogd_count_changes"();--> statement-breakpoint
CREATE TRIGGER "change_moved" AFTER UPDATE ON "change" REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added"
	EXECUTE FUNCTION "changelogd_count_changes"();
