ALTER TABLE "version" ADD COLUMN "prerelease" boolean;--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "yanked" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "public_version" ADD COLUMN "prerelease" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "source" ADD COLUMN "stable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "hook" ADD COLUMN "stable" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "worker_announced" ADD COLUMN "stable_in" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "version_stable" ON "version" USING btree ((("changelog_id" || '') || ''),("status" || ''),"published_at","id") WHERE prerelease is not true and (precedence is null or rtrim(precedence, '~') <> precedence);--> statement-breakpoint
CREATE INDEX "public_stable_team" ON "public_version" USING btree ("team_id","prerelease","status","published_at","version_id");--> statement-breakpoint
CREATE INDEX "public_stable" ON "public_version" USING btree (("status" || ''),"prerelease","published_at","version_id");--> statement-breakpoint
-- What was announced so far counts as stable since then; what is no such release is noticed at the next comparison.
UPDATE "worker_announced" SET "stable_in" = "published_in";--> statement-breakpoint
-- Whether a version is a pre-release follows from its label and from what its host says, as in the index "version_stable".
UPDATE "public_version" SET "prerelease" = true FROM "version"
	WHERE "version"."id" = "public_version"."version_id"
	AND NOT ("version"."prerelease" is not true and ("version"."precedence" is null or rtrim("version"."precedence", '~') <> "version"."precedence"));
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
		WHERE "product"."id" = NEW."product_id" AND "version"."status" <> 'draft'
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
	WHERE "added"."status" <> 'draft';
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
	WHERE "changelog"."id" = NEW."changelog_id" AND NEW."status" <> 'draft';
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
-- Whoever writes the label, a program of an older schema too: its precedence is written after it.
CREATE TRIGGER "version_stabilized" AFTER UPDATE OF "precedence", "prerelease" ON "version"
	FOR EACH ROW WHEN ((NEW."precedence", NEW."prerelease") IS DISTINCT FROM (OLD."precedence", OLD."prerelease"))
	EXECUTE FUNCTION "changelogd_show_version"();--> statement-breakpoint
DROP TRIGGER "version_reworded" ON "version";--> statement-breakpoint
CREATE TRIGGER "version_reworded" BEFORE UPDATE OF "title", "published_at", "dated", "date_known", "description", "closing", "yanked" ON "version"
	FOR EACH ROW WHEN ((NEW."title", NEW."published_at", NEW."dated", NEW."date_known", NEW."description", NEW."closing", NEW."yanked")
		IS DISTINCT FROM (OLD."title", OLD."published_at", OLD."dated", OLD."date_known", OLD."description", OLD."closing", OLD."yanked"))
	EXECUTE FUNCTION "changelogd_relabel"();
--> statement-breakpoint
-- Imports used to have the remark behind the label.
UPDATE "version" SET "title" = "label", "yanked" = ''
WHERE lower("title") = lower("label") || ' [yanked]' AND coalesce("imported", '') NOT LIKE '%title:%';
