-- What this server adds to a Campfire database, and nothing else.  It may be
-- applied to a database any number of times; handback.sql takes it away again.
-- The reference ignores these objects.  Keep comments outside the statements:
-- SQLite stores them with the statement otherwise.

-- Pages of a room's messages are read in (created_at, id) order, in either
-- direction from a given message; with this index that is a walk, not a sort.
CREATE INDEX IF NOT EXISTS campfire_messages_room_created ON messages (room_id, created_at, id);

-- A refresh asks for the messages of a room that changed since a given time.
CREATE INDEX IF NOT EXISTS campfire_messages_room_updated ON messages (room_id, updated_at);

-- The outbox: work to be done after a transaction commits is queued in that same
-- transaction, so it survives a crash and is never done for a rolled back change.
--   kind          which job
--   payload       JSON of record ids; the records are read when the job runs
--   attempts      how often it has been started
--   run_at        not before this time; ms since the epoch
--   leased_until  while a worker has the job: when another may take it over (ms)
--   lease_owner   the worker that has it
--   last_error    why the last attempt failed
--   state         'queued', or 'dead' once it is no longer retried
--   created_at    ms since the epoch
-- A finished job is deleted.
CREATE TABLE IF NOT EXISTS campfire_jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  run_at INTEGER NOT NULL,
  leased_until INTEGER,
  lease_owner TEXT,
  last_error TEXT,
  state TEXT NOT NULL DEFAULT 'queued',
  created_at INTEGER NOT NULL
);

-- The next due job, without looking at dead ones.
CREATE INDEX IF NOT EXISTS campfire_jobs_due ON campfire_jobs (state, run_at);
