CREATE TABLE "public_version" (
	"version_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"published_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "public_version" ADD CONSTRAINT "public_version_version_id_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "public_version_team" ON "public_version" USING btree ("team_id","status","published_at","version_id");--> statement-breakpoint
CREATE INDEX "public_version_site" ON "public_version" USING btree (("status" || ''),"published_at","version_id");--> statement-breakpoint
CREATE INDEX "version_range" ON "version" USING btree (("changelog_id" || ''),("status" || ''),"published_at","id","precedence") WHERE status <> 'draft' and precedence is not null;--> statement-breakpoint
CREATE TRIGGER "public_version_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public_version"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
INSERT INTO "public_version"
	SELECT "version"."id", "product"."team_id", "version"."status", "version"."published_at"
	FROM "public_product" JOIN "product" ON "product"."id" = "public_product"."product_id"
	JOIN "changelog" ON "changelog"."product_id" = "product"."id" JOIN "version" ON "version"."changelog_id" = "changelog"."id"
	WHERE "version"."status" <> 'draft';
--> statement-breakpoint
-- What becomes public, or no longer is, brings its versions or takes them along: "public_product" has the rule. With the rights of
-- the owner, for programs of an older schema. To write a row again: UPDATE version SET status = status.
CREATE FUNCTION "changelogd_show_product"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	IF TG_OP <> 'INSERT' THEN
		DELETE FROM "public_version" USING "changelog" JOIN "version" ON "version"."changelog_id" = "changelog"."id"
		WHERE "changelog"."product_id" = OLD."product_id" AND "public_version"."version_id" = "version"."id";
	END IF;
	IF TG_OP <> 'DELETE' THEN
		INSERT INTO "public_version"
		SELECT "version"."id", "product"."team_id", "version"."status", "version"."published_at"
		FROM "product" JOIN "changelog" ON "changelog"."product_id" = "product"."id" JOIN "version" ON "version"."changelog_id" = "changelog"."id"
		WHERE "product"."id" = NEW."product_id" AND "version"."status" <> 'draft'
		ON CONFLICT ("version_id") DO UPDATE SET "team_id" = excluded."team_id", "status" = excluded."status", "published_at" = excluded."published_at";
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "changelogd_show_versions"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	INSERT INTO "public_version"
	SELECT "added"."id", "product"."team_id", "added"."status", "added"."published_at"
	FROM "added" JOIN "changelog" ON "changelog"."id" = "added"."changelog_id"
	JOIN "public_product" ON "public_product"."product_id" = "changelog"."product_id" JOIN "product" ON "product"."id" = "changelog"."product_id"
	WHERE "added"."status" <> 'draft';
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "changelogd_show_version"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
	DELETE FROM "public_version" WHERE "version_id" = NEW."id";
	INSERT INTO "public_version"
	SELECT NEW."id", "product"."team_id", NEW."status", NEW."published_at"
	FROM "changelog" JOIN "public_product" ON "public_product"."product_id" = "changelog"."product_id" JOIN "product" ON "product"."id" = "changelog"."product_id"
	WHERE "changelog"."id" = NEW."changelog_id" AND NEW."status" <> 'draft';
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- No temporary table of whoever writes is taken for one of ours.
DO $$
DECLARE
	own text;
BEGIN
	FOREACH own IN ARRAY ARRAY['product', 'versions', 'version'] LOOP
		EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', 'changelogd_show_' || own, current_schema());
	END LOOP;
END $$;
--> statement-breakpoint
CREATE TRIGGER "public_product_shown" AFTER INSERT OR DELETE OR UPDATE OF "product_id" ON "public_product"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_show_product"();--> statement-breakpoint
CREATE TRIGGER "version_added" AFTER INSERT ON "version"
	REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "changelogd_show_versions"();--> statement-breakpoint
CREATE TRIGGER "version_edited" AFTER UPDATE OF "changelog_id", "status", "published_at" ON "version"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_show_version"();
