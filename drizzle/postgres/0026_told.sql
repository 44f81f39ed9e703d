CREATE TABLE "worker_told" (
	"hook_id" text COLLATE "C" NOT NULL,
	"version_id" text COLLATE "C" NOT NULL,
	"product_id" text COLLATE "C" NOT NULL,
	"label" text COLLATE "C" NOT NULL,
	CONSTRAINT "worker_told_hook_id_version_id_pk" PRIMARY KEY("hook_id","version_id")
);--> statement-breakpoint
-- What was announced so far counts as told, but for what waits or was given up: nothing of it is sent to a list again.
INSERT INTO worker_told (hook_id, version_id, product_id, label)
SELECT hook_id, topic, product_id, label FROM worker_delivery WHERE type = 'version.published' AND state = 'done'
ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO worker_told (hook_id, version_id, product_id, label)
SELECT hook.hook_id, version.version_id, version.product_id, version.label
FROM worker_hook AS hook JOIN worker_announced AS version
ON version.team_id = hook.team_id AND version.published_in <= hook.position
WHERE NOT EXISTS (SELECT 1 FROM worker_hook_secret AS secret WHERE secret.hook_id = hook.hook_id AND secret.secret LIKE 'whsec%')
AND NOT EXISTS (SELECT 1 FROM worker_delivery AS delivery WHERE delivery.hook_id = hook.hook_id
  AND delivery.state IN ('waiting', 'failed') AND delivery.version_ids LIKE '%"' || version.version_id || '"%')
ON CONFLICT DO NOTHING;
