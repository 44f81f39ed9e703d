-- Timelines hold dated versions only: one file without dates would bury the releases of all other products.
DELETE FROM "public_version" USING "version"
	WHERE "version"."id" = "public_version"."version_id" AND NOT "version"."dated" AND NOT "version"."date_known";
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "changelogd_show_product"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM "public_version" USING "changelog" JOIN "version" ON "version"."changelog_id" = "changelog"."id"
		WHERE "changelog"."product_id" = OLD."product_id" AND "public_version"."version_id" = "version"."id";
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO "public_version" ("version_id", "team_id", "status", "published_at", "prerelease")
		SELECT "version"."id", "product"."team_id", "version"."status", "version"."published_at",
			NOT ("version"."prerelease" is not true and ("version"."precedence" is null or rtrim("version"."precedence", '~') <> "version"."precedence"))
		FROM "product" JOIN "changelog" ON "changelog"."product_id" = "product"."id" JOIN "version" ON "version"."changelog_id" = "changelog"."id"
		WHERE "product"."id" = NEW."product_id" AND "version"."status" <> 'draft' AND ("version"."dated" OR "version"."date_known")
		ON CONFLICT ("version_id") DO UPDATE SET "team_id" = excluded."team_id", "status" = excluded."status",
			"published_at" = excluded."published_at", "prerelease" = excluded."prerelease";
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "changelogd_show_versions"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO "public_version" ("version_id", "team_id", "status", "published_at", "prerelease")
	SELECT "added"."id", "product"."team_id", "added"."status", "added"."published_at",
		NOT ("added"."prerelease" is not true and ("added"."precedence" is null or rtrim("added"."precedence", '~') <> "added"."precedence"))
	FROM "added" JOIN "changelog" ON "changelog"."id" = "added"."changelog_id"
	JOIN "public_product" ON "public_product"."product_id" = "changelog"."product_id" JOIN "product" ON "product"."id" = "changelog"."product_id"
	WHERE "added"."status" <> 'draft' AND ("added"."dated" OR "added"."date_known");
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION "changelogd_show_version"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	DELETE FROM "public_version" WHERE "version_id" = NEW."id";
	INSERT INTO "public_version" ("version_id", "team_id", "status", "published_at", "prerelease")
	SELECT NEW."id", "product"."team_id", NEW."status", NEW."published_at",
		NOT (NEW."prerelease" is not true and (NEW."precedence" is null or rtrim(NEW."precedence", '~') <> NEW."precedence"))
	FROM "changelog" JOIN "public_product" ON "public_product"."product_id" = "changelog"."product_id" JOIN "product" ON "product"."id" = "changelog"."product_id"
	WHERE "changelog"."id" = NEW."changelog_id" AND NEW."status" <> 'draft' AND (NEW."dated" OR NEW."date_known");
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- No temporary table of whoever writes is taken for one of ours: a function that is replaced forgets it.
DO $$
DECLARE
	own text;
BEGIN
	FOREACH own IN ARRAY ARRAY['product', 'versions', 'version'] LOOP
		EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', 'changelogd_show_' || own, current_schema());
	END LOOP;
END $$;
--> statement-breakpoint
DROP TRIGGER "version_edited" ON "version";--> statement-breakpoint
CREATE TRIGGER "version_edited" AFTER UPDATE OF "changelog_id", "status", "published_at", "dated", "date_known" ON "version"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_show_version"();
