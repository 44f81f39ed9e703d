CREATE TABLE "source" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"host_kind" text COLLATE "C",
	"file" text COLLATE "C",
	"ref" text COLLATE "C",
	"tag_dates" boolean NOT NULL,
	"tag_prefix" text COLLATE "C",
	"every" bigint NOT NULL,
	"prune" boolean NOT NULL,
	"paused" boolean NOT NULL,
	"token_file" text COLLATE "C",
	"created_at" bigint NOT NULL,
	CONSTRAINT "source_product_id_unique" UNIQUE("product_id"),
	CONSTRAINT "source_kind" CHECK (kind in ('auto', 'file', 'releases', 'tags')),
	CONSTRAINT "source_host_kind" CHECK (host_kind in ('github', 'gitlab', 'forgejo', 'git'))
);
--> statement-breakpoint
CREATE TABLE "worker_lease" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"holder" text COLLATE "C" NOT NULL,
	"until" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_source_check" (
	"source_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"target" text COLLATE "C" NOT NULL,
	"memory" text COLLATE "C" NOT NULL,
	"checked_at" bigint NOT NULL,
	"changed_at" bigint,
	"next_at" bigint NOT NULL,
	"size" integer,
	"failing_since" bigint,
	"failures" integer NOT NULL,
	"reason" text COLLATE "C",
	"remedy" text COLLATE "C"
);
--> statement-breakpoint
ALTER TABLE "source" ADD CONSTRAINT "source_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- What a product follows is content; what the worker remembers is not, so its tables have no such trigger.
CREATE TRIGGER "source_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "source"
	EXECUTE FUNCTION "changelogd_raise_revision"();
