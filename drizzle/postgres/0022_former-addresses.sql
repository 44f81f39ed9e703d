CREATE TABLE "former_address" (
	"team_slug" text COLLATE "C" NOT NULL,
	"product_slug" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "former_address_team_slug_product_slug_pk" PRIMARY KEY("team_slug","product_slug")
);
--> statement-breakpoint
ALTER TABLE "former_address" ADD CONSTRAINT "former_address_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "former_address_product" ON "former_address" USING btree ("product_id");--> statement-breakpoint
CREATE TRIGGER "former_address_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "former_address"
	EXECUTE FUNCTION "changelogd_raise_revision"();
