-- A status (0 active, 1 deactivated, 2 banned) instead of the flag.
ALTER TABLE "users" ADD COLUMN "status" integer DEFAULT 0 NOT NULL;
UPDATE "users" SET "status" = 1 WHERE "active" = 0;
ALTER TABLE "users" DROP COLUMN "active";
