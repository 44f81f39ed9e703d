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
	EXECUTE FUNCTION "changelogd_raise_revision"();
