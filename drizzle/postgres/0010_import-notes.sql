CREATE TABLE "import_note" (
	"product_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"result" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "import_note" ADD CONSTRAINT "import_note_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "product"("id") ON DELETE cascade ON UPDATE no action;