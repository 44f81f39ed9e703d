CREATE TABLE "former_label" (
	"changelog_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"version_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "former_label_changelog_id_label_pk" PRIMARY KEY("changelog_id","label")
);
--> statement-breakpoint
CREATE TABLE "public_product" (
	"team_slug" text COLLATE "C" NOT NULL,
	"product_slug" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "public_product_team_slug_product_slug_pk" PRIMARY KEY("team_slug","product_slug"),
	CONSTRAINT "public_product_product_id_unique" UNIQUE("product_id")
);
--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "date_known" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "former_label" ADD CONSTRAINT "former_label_changelog_id_changelog_id_fk" FOREIGN KEY ("changelog_id") REFERENCES "changelog"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_label" ADD CONSTRAINT "former_label_version_id_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "public_product" ADD CONSTRAINT "public_product_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_label_version" ON "former_label" USING btree ("version_id");--> statement-breakpoint
CREATE TRIGGER "former_label_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "former_label"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
CREATE UNIQUE INDEX "version_public" ON "version" USING btree (("changelog_id" || ''),("status" || ''),"published_at","id") WHERE status <> 'draft';--> statement-breakpoint
CREATE TRIGGER "public_product_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "public_product"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
INSERT INTO "public_product"
	SELECT "team"."slug", "product"."slug", "product"."id"
	FROM "team" JOIN "product" ON "product"."team_id" = "team"."id" JOIN "changelog" ON "changelog"."product_id" = "product"."id"
	WHERE "team"."visibility" = 'public' AND "product"."status" = 'published' AND "changelog"."status" = 'published';
--> statement-breakpoint
-- Whoever writes, a program of the older schema too, whose role may have no rights on the new table: so with those of its
-- owner. What is deleted takes its row along.
CREATE FUNCTION "changelogd_list_public"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
	affected text[];
BEGIN
	CASE TG_TABLE_NAME
		WHEN 'team' THEN affected := ARRAY(SELECT "id" FROM "product" WHERE "team_id" = NEW."id");
		WHEN 'product' THEN affected := ARRAY[NEW."id"];
		ELSE affected := ARRAY[OLD."product_id", NEW."product_id"];
	END CASE;
	DELETE FROM "public_product" WHERE "product_id" = ANY (affected);
	INSERT INTO "public_product"
	SELECT "team"."slug", "product"."slug", "product"."id"
	FROM "team" JOIN "product" ON "product"."team_id" = "team"."id" JOIN "changelog" ON "changelog"."product_id" = "product"."id"
	WHERE "product"."id" = ANY (affected) AND "team"."visibility" = 'public' AND "product"."status" = 'published' AND "changelog"."status" = 'published'
	ON CONFLICT ("team_slug", "product_slug") DO UPDATE SET "product_id" = excluded."product_id";
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- No temporary table of whoever writes is taken for one of ours.
DO $$ BEGIN
	EXECUTE format('ALTER FUNCTION "changelogd_list_public"() SET search_path = %I, pg_temp', current_schema());
END $$;
--> statement-breakpoint
CREATE TRIGGER "team_listed" AFTER UPDATE OF "slug", "visibility" ON "team"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_list_public"();--> statement-breakpoint
CREATE TRIGGER "product_listed" AFTER UPDATE OF "team_id", "slug", "status" ON "product"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_list_public"();--> statement-breakpoint
CREATE TRIGGER "changelog_listed" AFTER INSERT OR DELETE OR UPDATE OF "product_id", "status" ON "changelog"
	FOR EACH ROW EXECUTE FUNCTION "changelogd_list_public"();
--> statement-breakpoint
-- Which commands were committed, for a day: a command that got no answer to its COMMIT looks for its own. Nodes do not read it, so it
-- has no part in the revision.
CREATE TABLE "changelogd_command" (
	"id" uuid PRIMARY KEY,
	"written_at" timestamptz NOT NULL DEFAULT now()
);
