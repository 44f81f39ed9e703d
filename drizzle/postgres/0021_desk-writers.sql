CREATE TABLE "worker_writer" (
	"version_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"at" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL
);
