
/*
 * The tables: made, brought up to date, and checked.
 *
 * One process per start of the master does this, under the writer lock and
 * in one transaction:
 *
 *   1. Nothing in the file: schema.sql, as a new installation of the
 *      reference has it.
 *   2. Something in it: it must have the versions that the oldest supported
 *      release has; those it lacks beyond are run in order.  Before COMMIT
 *      the state of before is copied through a second connection, which does
 *      not see our transaction.  An upgrade that fails leaves neither a change
 *      nor a copy.
 *   3. Columns: all that the reference has must be there, and no other column
 *      may insist on a value.  More tables, columns with defaults, indexes and
 *      versions are a newer reference's and welcome.
 *   4. additions.sql.
 *   5. Nobody is connected yet: the presence of an earlier run ends.
 *
 * Whatever is not understood is left as it is.
 */

#include "db/ngx_campfire_db_conn.h"
#include "base/ngx_campfire_base_time.h"

#include "ngx_campfire_db_schema_sql.h"


/* The oldest release that is upgraded had these many versions up to this. */
#define NGX_CAMPFIRE_DB_SCHEMA_BASE   "20240209110503"
#define NGX_CAMPFIRE_DB_SCHEMA_COUNT  8

/* Presence counts for so long after it was last told of, in microseconds. */
#define NGX_CAMPFIRE_DB_SCHEMA_TTL    (INT64_C(60) * 1000000)

#define NGX_CAMPFIRE_DB_SCHEMA_UPGRADES                                       \
    (sizeof(ngx_campfire_db_schema_upgrades)                                  \
     / sizeof(ngx_campfire_db_schema_upgrades[0]))


static ngx_int_t ngx_campfire_db_schema_lost(ngx_campfire_instance_t *in,
    ngx_log_t *log);
static ngx_int_t ngx_campfire_db_schema_apply(ngx_campfire_db_conn_t *conn,
    int64_t now, char *copy, size_t size);
static ngx_int_t ngx_campfire_db_schema_upgrade(ngx_campfire_db_conn_t *conn,
    ngx_uint_t *upgraded);
static ngx_int_t ngx_campfire_db_schema_script(ngx_campfire_db_conn_t *conn,
    const char *name, const char *sql);
static ngx_int_t ngx_campfire_db_schema_copy(ngx_campfire_db_conn_t *conn,
    int64_t now, char *copy, size_t size);
static int ngx_campfire_db_schema_backup(const char *from, const char *to);
static ngx_int_t ngx_campfire_db_schema_columns(ngx_campfire_db_conn_t *conn);
static ngx_int_t ngx_campfire_db_schema_compare(ngx_campfire_db_conn_t *conn,
    sqlite3 *left, sqlite3 *right, ngx_uint_t extra);


ngx_int_t
ngx_campfire_db_schema(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    char                     copy[NGX_MAX_PATH];
    int64_t                  now;
    ngx_int_t                rc;
    struct timeval           tv;
    ngx_campfire_db_conn_t  *conn;

    /* nginx's cached time stands still while a thread waits */
    ngx_gettimeofday(&tv);
    now = (int64_t) tv.tv_sec * 1000000 + tv.tv_usec;

    copy[0] = '\0';

    if (ngx_campfire_db_schema_lost(in, log) != NGX_OK) {
        return NGX_ERROR;
    }

    conn = ngx_campfire_db_open(in, NGX_CAMPFIRE_DB_CREATE, log);
    if (conn == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_exec(conn, "BEGIN IMMEDIATE", "");

    if (rc == NGX_OK) {
        rc = ngx_campfire_db_schema_apply(conn, now, copy, sizeof(copy));

        if (rc == NGX_OK) {
            rc = ngx_campfire_db_exec(conn, "COMMIT", "");
        }
    }

    if (rc == NGX_OK && copy[0]) {
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "campfire: \"%V\" was upgraded, the state before is "
                      "in \"%s\"", &in->database, copy);
    }

    if (rc != NGX_OK) {

        if (!sqlite3_get_autocommit(conn->db)) {
            (void) ngx_campfire_db_exec(conn, "ROLLBACK", "");
        }

        if (copy[0]) {
            (void) unlink(copy);
        }
    }

    ngx_campfire_db_close(conn);

    return (rc == NGX_OK) ? NGX_OK : NGX_ERROR;
}


/*
 * SQLite throws a log away whose database is missing, and with it what may
 * be the only copy of the last messages.
 */
static ngx_int_t
ngx_campfire_db_schema_lost(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    char         path[NGX_MAX_PATH];
    struct stat  st;

    if (stat((char *) in->database.data, &st) == 0 && st.st_size > 0) {
        return NGX_OK;
    }

    if (snprintf(path, sizeof(path), "%s-wal", in->database.data)
        >= (int) sizeof(path))
    {
        return NGX_ERROR;
    }

    if (stat(path, &st) != 0 || st.st_size == 0) {
        return NGX_OK;
    }

    ngx_log_error(NGX_LOG_CRIT, log, 0,
                  "campfire: \"%V\" is missing but its log \"%s\" is there; "
                  "put the database back, or the log away to start anew",
                  &in->database, path);

    return NGX_ERROR;
}


static ngx_int_t
ngx_campfire_db_schema_apply(ngx_campfire_db_conn_t *conn, int64_t now,
    char *copy, size_t size)
{
    int64_t     n;
    ngx_int_t   rc;
    ngx_uint_t  created, upgraded;

    upgraded = 0;

    rc = ngx_campfire_db_get_int(conn, &n,
                                 "SELECT count(*) FROM sqlite_master", "");
    if (rc != NGX_OK) {
        return rc;
    }

    created = (n == 0);

    if (created) {
        rc = ngx_campfire_db_schema_script(conn, "schema.sql",
                                           ngx_campfire_db_schema_schema);
    } else {
        rc = ngx_campfire_db_schema_upgrade(conn, &upgraded);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    if (!created && ngx_campfire_db_schema_columns(conn) != NGX_OK) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_schema_script(conn, "additions.sql",
                                       ngx_campfire_db_schema_additions);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_db_exec(conn,
             "UPDATE memberships SET connected_at = NULL, connections = 0,"
             " updated_at = ?1 WHERE connected_at >= ?2",
             "tt", now, now - NGX_CAMPFIRE_DB_SCHEMA_TTL);
    if (rc != NGX_OK) {
        return rc;
    }

    if (created) {
        ngx_log_error(NGX_LOG_NOTICE, conn->log, 0,
                      "campfire: \"%V\" was created",
                      &conn->instance->database);
    }

    return upgraded ? ngx_campfire_db_schema_copy(conn, now, copy, size)
                    : NGX_OK;
}


static ngx_int_t
ngx_campfire_db_schema_upgrade(ngx_campfire_db_conn_t *conn,
    ngx_uint_t *upgraded)
{
    int64_t      n;
    ngx_int_t    rc;
    ngx_str_t    version;
    ngx_uint_t   i;

    rc = ngx_campfire_db_get_int(conn, &n,
             "SELECT count(*) FROM sqlite_master"
             " WHERE type = 'table' AND name = 'schema_migrations'", "");
    if (rc != NGX_OK) {
        return rc;
    }

    if (n == 0) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                      "campfire: \"%V\" is a database, but not of Campfire; "
                      "it was left as it is, move it away",
                      &conn->instance->database);
        return NGX_ERROR;
    }

    rc = ngx_campfire_db_get_int(conn, &n,
             "SELECT count(*) FROM schema_migrations"
             " WHERE version <= '" NGX_CAMPFIRE_DB_SCHEMA_BASE "'", "");
    if (rc != NGX_OK) {
        return rc;
    }

    if (n < NGX_CAMPFIRE_DB_SCHEMA_COUNT) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                      "campfire: \"%V\" is older than version "
                      NGX_CAMPFIRE_DB_SCHEMA_BASE " of the tables, which is "
                      "the oldest that can be upgraded; start a later "
                      "release of the Rails application with it once",
                      &conn->instance->database);
        return NGX_ERROR;
    }

    for (i = 0; i < NGX_CAMPFIRE_DB_SCHEMA_UPGRADES; i++) {

        version.data = (u_char *) ngx_campfire_db_schema_upgrades[i].version;
        version.len = ngx_strlen(version.data);

        rc = ngx_campfire_db_get_int(conn, &n,
                 "SELECT 1 FROM schema_migrations WHERE version = ?1",
                 "s", &version);

        if (rc == NGX_OK) {
            continue;
        }

        if (rc != NGX_DONE) {
            return rc;
        }

        rc = ngx_campfire_db_schema_script(conn, (char *) version.data,
                                   ngx_campfire_db_schema_upgrades[i].sql);
        if (rc != NGX_OK) {
            return rc;
        }

        rc = ngx_campfire_db_exec(conn,
                 "INSERT INTO schema_migrations (version) VALUES (?1)",
                 "s", &version);
        if (rc != NGX_OK) {
            return rc;
        }

        *upgraded = 1;
    }

    return NGX_OK;
}


/* Several statements; a constraint is as fatal here as anything else. */
static ngx_int_t
ngx_campfire_db_schema_script(ngx_campfire_db_conn_t *conn, const char *name,
    const char *sql)
{
    int  rc;

    rc = sqlite3_exec(conn->db, sql, NULL, NULL, NULL);

    if (rc == SQLITE_OK) {
        return NGX_OK;
    }

    if ((rc & 0xff) != SQLITE_ERROR && (rc & 0xff) != SQLITE_CONSTRAINT) {
        return ngx_campfire_db_result(conn, rc, name);
    }

    ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                  "campfire: \"%V\" does not fit %s: %s; nothing was changed, "
                  "repair it or put a backup in its place",
                  &conn->instance->database, name, sqlite3_errmsg(conn->db));

    return NGX_ERROR;
}


/* Through a name of its own, so that a copy that is there is whole. */
static ngx_int_t
ngx_campfire_db_schema_copy(ngx_campfire_db_conn_t *conn, int64_t now,
    char *copy, size_t size)
{
    int                       fd, rc;
    char                     *file, path[NGX_MAX_PATH];
    u_char                    stamp[NGX_CAMPFIRE_BASE_TIME_LEN];
    struct stat               st;
    ngx_campfire_instance_t  *in;

    in = conn->instance;
    file = (char *) in->database.data;

    stamp[ngx_campfire_base_time_number(stamp, now)] = '\0';

    if (snprintf(copy, size, "%s.backup-%s", file, stamp) >= (int) size
        || snprintf(path, sizeof(path), "%s.tmp", copy) >= (int) sizeof(path)
        || stat(file, &st) != 0)
    {
        copy[0] = '\0';
        return NGX_ERROR;
    }

    /* no more readable than the database itself */

    (void) unlink(path);
    fd = open(path, O_CREAT|O_EXCL|O_WRONLY, st.st_mode & 0666);

    if (fd == -1) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, ngx_errno,
                      "campfire: the backup \"%s\" cannot be created, the "
                      "upgrade waits for it", path);
        copy[0] = '\0';
        return NGX_ERROR;
    }

    (void) close(fd);

    rc = ngx_campfire_db_schema_backup(file, path);

    if (rc != SQLITE_OK) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                      "campfire: the backup \"%s\" failed: %s; the upgrade "
                      "waits for it", path, sqlite3_errstr(rc));
        goto failed;
    }

    if (rename(path, copy) == -1) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, ngx_errno,
                      "campfire: \"%s\" cannot be renamed", path);
        goto failed;
    }

    return NGX_OK;

failed:

    (void) unlink(path);
    copy[0] = '\0';

    return NGX_ERROR;
}


/* By SQLite's own means: see ngx_campfire_db_wal.c on opening the file. */
static int
ngx_campfire_db_schema_backup(const char *from, const char *to)
{
    int              rc, finish;
    sqlite3         *source, *target;
    sqlite3_backup  *backup;

    target = NULL;

    rc = sqlite3_open_v2(from, &source,
                         SQLITE_OPEN_READWRITE|SQLITE_OPEN_NOMUTEX, NULL);

    if (rc == SQLITE_OK) {
        rc = sqlite3_open_v2(to, &target,
                             SQLITE_OPEN_READWRITE|SQLITE_OPEN_NOMUTEX, NULL);
    }

    if (rc == SQLITE_OK) {
        (void) sqlite3_busy_timeout(source, NGX_CAMPFIRE_DB_BUSY_TIMEOUT);

        backup = sqlite3_backup_init(target, "main", source, "main");

        if (backup) {
            rc = sqlite3_backup_step(backup, -1);
            finish = sqlite3_backup_finish(backup);

            if (rc == SQLITE_DONE) {
                rc = finish;
            }

        } else {
            rc = sqlite3_errcode(target);
        }
    }

    (void) sqlite3_close(target);
    (void) sqlite3_close(source);

    return rc;
}


/* The reference's columns are asked of a database in memory. */
static ngx_int_t
ngx_campfire_db_schema_columns(ngx_campfire_db_conn_t *conn)
{
    int         rc;
    sqlite3    *model;
    ngx_int_t   result;

    rc = sqlite3_open_v2(":memory:", &model,
                         SQLITE_OPEN_READWRITE|SQLITE_OPEN_CREATE
                         |SQLITE_OPEN_NOMUTEX, NULL);

    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(model, ngx_campfire_db_schema_schema, NULL, NULL,
                          NULL);
    }

    if (rc != SQLITE_OK) {
        ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                      "campfire: SQLite %s cannot make the tables: %s",
                      sqlite3_libversion(), sqlite3_errmsg(model));
        (void) sqlite3_close(model);
        return NGX_ERROR;
    }

    result = ngx_campfire_db_schema_compare(conn, model, conn->db, 0);

    if (result == NGX_OK) {
        result = ngx_campfire_db_schema_compare(conn, conn->db, model, 1);
    }

    (void) sqlite3_close(model);

    return result;
}


/*
 * Every column of the tables in left must be in right; extra: only those that
 * an INSERT must name, of tables that right has.
 */
static ngx_int_t
ngx_campfire_db_schema_compare(ngx_campfire_db_conn_t *conn, sqlite3 *left,
    sqlite3 *right, ngx_uint_t extra)
{
    int            rc;
    ngx_int_t      result;
    const char    *table, *column;
    sqlite3_stmt  *all, *one;

    static const char  columns[] =
        "SELECT m.name, x.name FROM sqlite_master m"
        " JOIN pragma_table_xinfo(m.name) x WHERE m.type = 'table'"
        " AND (?1 = 0 OR (x.\"notnull\" AND x.dflt_value IS NULL"
        "                 AND x.pk = 0))";

    static const char  column_of[] =
        "SELECT 1 FROM pragma_table_xinfo(?1) WHERE name = ?2"
        " UNION ALL SELECT 1 WHERE ?3"
        " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(?1))";

    one = NULL;
    result = NGX_OK;

    rc = sqlite3_prepare_v2(left, columns, -1, &all, NULL);

    if (rc == SQLITE_OK) {
        rc = sqlite3_prepare_v2(right, column_of, -1, &one, NULL);
    }

    if (rc != SQLITE_OK) {
        result = ngx_campfire_db_result(conn, rc, "the columns");
        goto done;
    }

    (void) sqlite3_bind_int(all, 1, (int) extra);
    (void) sqlite3_bind_int(one, 3, (int) extra);

    while ((rc = sqlite3_step(all)) == SQLITE_ROW) {

        table = (const char *) sqlite3_column_text(all, 0);
        column = (const char *) sqlite3_column_text(all, 1);

        (void) sqlite3_bind_text(one, 1, table, -1, SQLITE_STATIC);
        (void) sqlite3_bind_text(one, 2, column, -1, SQLITE_STATIC);

        rc = sqlite3_step(one);
        (void) sqlite3_reset(one);

        if (rc == SQLITE_ROW) {
            continue;
        }

        if (rc == SQLITE_DONE) {
            ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                          "campfire: \"%V\" %s the column \"%s\" of \"%s\"; "
                          "it was left as it is",
                          &conn->instance->database,
                          extra ? "demands a value for an unknown"
                                : "lacks",
                          column, table);
            result = NGX_ERROR;
            goto done;
        }

        break;
    }

    if (rc != SQLITE_DONE) {
        result = ngx_campfire_db_result(conn, rc, "the columns");
    }

done:

    (void) sqlite3_finalize(one);
    (void) sqlite3_finalize(all);

    return result;
}
