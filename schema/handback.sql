-- Takes away everything additions.sql adds, so that the database is as the
-- reference made it.  Jobs still in the outbox are lost: drain it first.
DROP INDEX IF EXISTS campfire_jobs_due;
DROP TABLE IF EXISTS campfire_jobs;
DROP INDEX IF EXISTS campfire_messages_room_updated;
DROP INDEX IF EXISTS campfire_messages_room_created;
