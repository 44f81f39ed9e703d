CREATE TABLE "changelog" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"preamble" text COLLATE "C",
	CONSTRAINT "changelog_product_id_unique" UNIQUE("product_id"),
	CONSTRAINT "changelog_status" CHECK (status in ('draft', 'published', 'locked'))
);
--> statement-breakpoint
CREATE TABLE "change" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"version_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"description" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "api_key_product" (
	"key_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "api_key_product_key_id_product_id_pk" PRIMARY KEY("key_id","product_id")
);
--> statement-breakpoint
CREATE TABLE "api_key_token" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"start" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "api_key" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	CONSTRAINT "api_key_id_team" UNIQUE("id","team_id"),
	CONSTRAINT "api_key_kind" CHECK (kind in ('FULL', 'SELECT')),
	CONSTRAINT "api_key_status" CHECK (status in ('active', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "product" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "product_slug" UNIQUE("team_id","slug"),
	CONSTRAINT "product_team" UNIQUE("id","team_id"),
	CONSTRAINT "product_status" CHECK (status in ('draft', 'published', 'locked'))
);
--> statement-breakpoint
CREATE TABLE "team" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"visibility" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "team_slug_unique" UNIQUE("slug"),
	CONSTRAINT "team_visibility" CHECK (visibility in ('public', 'private')),
	CONSTRAINT "team_plan" CHECK (plan in ('free', 'paid'))
);
--> statement-breakpoint
CREATE TABLE "version" (
	"id" text COLLATE "C" NOT NULL,
	"changelog_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"title" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"published_at" bigint NOT NULL,
	"dated" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"change_count" integer DEFAULT 0 NOT NULL,
	"description" text COLLATE "C",
	CONSTRAINT "version_changelog_id_published_at_id_pk" PRIMARY KEY("changelog_id","published_at","id"),
	CONSTRAINT "version_id_unique" UNIQUE("id"),
	CONSTRAINT "version_label" UNIQUE("changelog_id","label"),
	CONSTRAINT "version_status" CHECK (status in ('draft', 'published'))
);
--> statement-breakpoint
ALTER TABLE "changelog" ADD CONSTRAINT "changelog_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "change" ADD CONSTRAINT "change_version_id_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "version"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_product" ADD CONSTRAINT "api_key_product_key_id_team_id_api_key_id_team_id_fk" FOREIGN KEY ("key_id","team_id") REFERENCES "api_key"("id","team_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_product" ADD CONSTRAINT "api_key_product_product_id_team_id_product_id_team_id_fk" FOREIGN KEY ("product_id","team_id") REFERENCES "product"("id","team_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key_token" ADD CONSTRAINT "api_key_token_key_id_api_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "api_key"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_team_id_team_id_fk" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "product" ADD CONSTRAINT "product_team_id_team_id_fk" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "version" ADD CONSTRAINT "version_changelog_id_changelog_id_fk" FOREIGN KEY ("changelog_id") REFERENCES "changelog"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "change_order" ON "change" USING btree ("version_id","position","id");--> statement-breakpoint
CREATE INDEX "api_key_product_product" ON "api_key_product" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "api_key_token_key" ON "api_key_token" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "api_key_team" ON "api_key" USING btree ("team_id");