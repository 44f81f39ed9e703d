CREATE TABLE "hook" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"url" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "hook_kind" CHECK (kind in ('webhook', 'slack', 'discord', 'teams', 'websub')),
	CONSTRAINT "hook_status" CHECK (status in ('active', 'disabled'))
);
--> statement-breakpoint
CREATE TABLE "worker_announce_round" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"round" integer NOT NULL,
	"seen_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "worker_announced" (
	"version_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"edition" bigint,
	"hash" text COLLATE "C" NOT NULL,
	"published_in" integer NOT NULL,
	"updated_in" integer,
	"withdrawn_in" integer,
	"pending_hash" text COLLATE "C",
	"pending_since" bigint,
	"pending_at" bigint
);
--> statement-breakpoint
CREATE TABLE "worker_hook" (
	"hook_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"team_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"active" boolean NOT NULL,
	"failing_since" bigint,
	"stopped_at" bigint,
	"reason" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "worker_delivery" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hook_id" text COLLATE "C" NOT NULL,
	"round" integer NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"topic" text COLLATE "C" NOT NULL,
	"version_ids" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"tries" integer NOT NULL,
	"next_at" bigint NOT NULL,
	"claimed_until" bigint,
	"body" text COLLATE "C",
	"tried_at" bigint,
	"took_ms" integer,
	"status" integer,
	"answer" text COLLATE "C"
);
--> statement-breakpoint
CREATE TABLE "worker_hook_secret" (
	"hook_id" text COLLATE "C" NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	CONSTRAINT "worker_hook_secret_hook_id_secret_pk" PRIMARY KEY("hook_id","secret")
);
--> statement-breakpoint
ALTER TABLE "version" ADD COLUMN "edition" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "hook" ADD CONSTRAINT "hook_team_id_team_id_fk" FOREIGN KEY ("team_id") REFERENCES "team"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "hook" ADD CONSTRAINT "hook_product_id_team_id_product_id_team_id_fk" FOREIGN KEY ("product_id","team_id") REFERENCES "product"("id","team_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hook_team" ON "hook" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "hook_product" ON "hook" USING btree ("product_id");--> statement-breakpoint
CREATE INDEX "worker_delivery_due" ON "worker_delivery" USING btree ("next_at","hook_id") WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX "worker_delivery_hook" ON "worker_delivery" USING btree ("hook_id","round","id");--> statement-breakpoint
CREATE TRIGGER "hook_revision" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "hook"
	EXECUTE FUNCTION "changelogd_raise_revision"();--> statement-breakpoint
-- A version whose text changes forgets what was derived, whoever writes, a program of the older schema too: then the end of the
-- transaction, which derives it again, also gives it another edition.
CREATE TRIGGER "version_reworded" BEFORE UPDATE OF "title", "published_at", "dated", "date_known", "description", "closing" ON "version"
	FOR EACH ROW WHEN ((NEW."title", NEW."published_at", NEW."dated", NEW."date_known", NEW."description", NEW."closing")
		IS DISTINCT FROM (OLD."title", OLD."published_at", OLD."dated", OLD."date_known", OLD."description", OLD."closing"))
	EXECUTE FUNCTION "changelogd_relabel"();--> statement-breakpoint
-- Roles that read everything, as that of a server, get SELECT on new tables by default privileges: not on secrets.
DO $$
DECLARE
	"reader" oid;
BEGIN
	FOR "reader" IN
		SELECT "grantee" FROM pg_class, aclexplode("relacl")
		WHERE pg_class.oid = 'worker_hook_secret'::regclass AND "grantee" <> "relowner"
		GROUP BY "grantee" HAVING NOT bool_or("privilege_type" = 'INSERT')
	LOOP
		EXECUTE format('REVOKE ALL ON "worker_hook_secret" FROM %s',
			CASE WHEN "reader" = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid("reader")) END);
	END LOOP;
END
$$;
