CREATE TABLE "kept" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"act" text COLLATE "C" NOT NULL,
	"who" text COLLATE "C",
	"team_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C",
	"version_id" text COLLATE "C",
	"head" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "kept_part" (
	"kept_id" text COLLATE "C" NOT NULL,
	"position" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "kept_part_kept_id_position_pk" PRIMARY KEY("kept_id","position")
);
--> statement-breakpoint
DROP INDEX "version_underived";--> statement-breakpoint
ALTER TABLE "kept_part" ADD CONSTRAINT "kept_part_kept_id_kept_id_fk" FOREIGN KEY ("kept_id") REFERENCES "kept"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "kept_at" ON "kept" USING btree ("at");--> statement-breakpoint
CREATE INDEX "kept_product" ON "kept" USING btree ("product_id","at");--> statement-breakpoint
CREATE INDEX "kept_version" ON "kept" USING btree ("version_id","at");--> statement-breakpoint
CREATE INDEX "version_underived" ON "version" USING btree ("id") WHERE kinds is null or derived_by is null or derived_by < 4;--> statement-breakpoint
-- Default privileges may have given them to roles that only read, such as a server's.
DO $$
DECLARE "name" text; "reader" oid;
BEGIN
	FOREACH "name" IN ARRAY ARRAY['kept', 'kept_part'] LOOP
		FOR "reader" IN
			SELECT "grantee" FROM pg_class, aclexplode("relacl")
			WHERE pg_class.oid = "name"::regclass AND "grantee" <> "relowner"
			GROUP BY "grantee" HAVING NOT bool_or("privilege_type" = 'INSERT')
		LOOP
			EXECUTE format('REVOKE ALL ON %I FROM %s', "name",
				CASE WHEN "reader" = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid("reader")) END);
		END LOOP;
	END LOOP;
END
$$;
