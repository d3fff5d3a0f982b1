
/*
 * Opening and closing: three connections per worker and instance.
 *
 * Every setting is stated on every connection, since Debian's library has
 * other defaults than the reference's (synchronous=FULL among them).
 */

#include "db/ngx_campfire_db_conn.h"
#include "shm/ngx_campfire_shm.h"

#include <pthread.h>


/* How long to wait for another worker's upgrade before the next try. */
#define NGX_CAMPFIRE_DB_LOCK        1000
#define NGX_CAMPFIRE_DB_CLOSE_WAIT  2000      /* ms for the others */


static void ngx_campfire_db_configure(void);
static ngx_int_t ngx_campfire_db_directories(ngx_campfire_instance_t *in,
    ngx_log_t *log);
static ngx_int_t ngx_campfire_db_directory(const char *path, ngx_log_t *log);
static ngx_int_t ngx_campfire_db_prepare(ngx_campfire_instance_t *in,
    ngx_log_t *log);
static int ngx_campfire_db_settle(ngx_campfire_db_conn_t *conn,
    ngx_campfire_db_mode_e mode);
static int ngx_campfire_db_journal(void *data, int n, char **values,
    char **names);


/* Checkpoints are ours: inside COMMIT they would delay whoever posts. */
static const char  ngx_campfire_db_settings[] =
    "PRAGMA foreign_keys=ON;"
    "PRAGMA synchronous=NORMAL;"
    "PRAGMA mmap_size=134217728;"
    "PRAGMA journal_size_limit=67108864;"
    "PRAGMA cache_size=2000;"
    "PRAGMA wal_autocheckpoint=0;";


static pthread_once_t  ngx_campfire_db_once = PTHREAD_ONCE_INIT;


ngx_int_t
ngx_campfire_db_init(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    ngx_campfire_db_t  *db;

    (void) pthread_once(&ngx_campfire_db_once, ngx_campfire_db_configure);

    if (ngx_campfire_db_directories(in, log) != NGX_OK
        || ngx_campfire_db_prepare(in, log) != NGX_OK)
    {
        return NGX_ERROR;
    }

    db = ngx_calloc(sizeof(ngx_campfire_db_t), log);
    if (db == NULL) {
        return NGX_ERROR;
    }

    in->db = NULL;
    db->instance = in;

    db->write = ngx_campfire_db_open(in, NGX_CAMPFIRE_DB_WRITE, log);

    if (db->write) {
        db->read = ngx_campfire_db_open(in, NGX_CAMPFIRE_DB_READ, log);
    }

    if (db->read) {
        db->thread = ngx_campfire_db_open(in, NGX_CAMPFIRE_DB_READ, log);
    }

    if (db->thread) {
        in->db = db;
        return NGX_OK;
    }

    ngx_campfire_db_close(db->read);
    ngx_campfire_db_close(db->write);
    ngx_free(db);

    return NGX_ERROR;
}


/*
 * One worker after the other: SQLite empties the log for the last one only,
 * and of two that close at once neither is.
 */
void
ngx_campfire_db_cleanup(ngx_campfire_instance_t *in)
{
    ngx_int_t           rc;
    ngx_uint_t          died;
    ngx_campfire_db_t  *db;

    db = in->db;

    if (db == NULL) {
        return;
    }

    in->db = NULL;

    rc = ngx_campfire_shm_lock(in->sh, NGX_CAMPFIRE_DB_CLOSE_WAIT, &died);

    ngx_campfire_db_close(db->thread);
    ngx_campfire_db_close(db->read);
    ngx_campfire_db_close(db->write);
    ngx_free(db);

    if (rc == NGX_OK) {

        if (died) {
            (void) ngx_atomic_fetch_add(&in->sh->global, 1);
        }

        ngx_campfire_shm_unlock(in->sh);
    }
}


/*
 * Before the first open: statistics take a lock per allocation.  If another
 * module has started SQLite already they stay on, which is only slower.
 */
static void
ngx_campfire_db_configure(void)
{
    (void) sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}


static ngx_int_t
ngx_campfire_db_directories(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    size_t  len;
    char    path[NGX_MAX_PATH];

    for (len = in->database.len; len > 1; len--) {
        if (in->database.data[len - 1] == '/') {
            break;
        }
    }

    if (len >= sizeof(path) || in->files.len >= sizeof(path)) {
        ngx_log_error(NGX_LOG_CRIT, log, 0,
                      "campfire: the path \"%V\" is too long",
                      &in->database);
        return NGX_ERROR;
    }

    ngx_memcpy(path, in->database.data, len);
    path[len - 1] = '\0';

    if (ngx_campfire_db_directory(path, log) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_memcpy(path, in->files.data, in->files.len);
    path[in->files.len] = '\0';

    return ngx_campfire_db_directory(path, log);
}


/* Not for others: file names and messages are private. */
static ngx_int_t
ngx_campfire_db_directory(const char *path, ngx_log_t *log)
{
    if (mkdir(path, 0750) == -1 && errno != EEXIST) {
        ngx_log_error(NGX_LOG_CRIT, log, ngx_errno,
                      "campfire: \"%s\" cannot be created, give the storage "
                      "directory to the user of the workers", path);
        return NGX_ERROR;
    }

    /* SQLite makes files beside the database */

    if (faccessat(AT_FDCWD, path, R_OK|W_OK|X_OK, AT_EACCESS) == -1) {
        ngx_log_error(NGX_LOG_CRIT, log, ngx_errno,
                      "campfire: \"%s\" cannot be written to, give it and "
                      "all in it to the user of the workers", path);
        return NGX_ERROR;
    }

    return NGX_OK;
}


/*
 * Schema and presence, by the first worker after a start of the master; the
 * zone survives a reload, and so does `ready`.
 */
static ngx_int_t
ngx_campfire_db_prepare(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    ngx_int_t           rc;
    ngx_uint_t          died;
    ngx_campfire_sh_t  *sh;

    sh = in->sh;

    if (sh->ready) {
        return NGX_OK;
    }

    if (ngx_campfire_shm_lock(sh, NGX_CAMPFIRE_DB_LOCK, &died) != NGX_OK) {
        ngx_log_error(NGX_LOG_NOTICE, log, 0,
                      "campfire: another worker is preparing \"%V\", "
                      "trying again", &in->database);
        return NGX_ERROR;
    }

    rc = NGX_OK;

    if (!sh->ready) {
        rc = ngx_campfire_db_schema(in, log);

        if (rc == NGX_OK) {
            sh->ready = 1;
        }
    }

    ngx_campfire_shm_unlock(sh);

    return rc;
}


ngx_campfire_db_conn_t *
ngx_campfire_db_open(ngx_campfire_instance_t *in, ngx_campfire_db_mode_e mode,
    ngx_log_t *log)
{
    int                      rc, flags;
    ngx_campfire_db_conn_t  *conn;

    conn = ngx_calloc(sizeof(ngx_campfire_db_conn_t), log);
    if (conn == NULL) {
        return NULL;
    }

    conn->instance = in;
    conn->log = log;

    flags = SQLITE_OPEN_READWRITE|SQLITE_OPEN_NOMUTEX
            |SQLITE_OPEN_PRIVATECACHE;

    if (mode == NGX_CAMPFIRE_DB_CREATE) {
        flags |= SQLITE_OPEN_CREATE;
    }

    rc = sqlite3_open_v2((char *) in->database.data, &conn->db, flags, NULL);

    if (rc == SQLITE_OK) {
        rc = ngx_campfire_db_settle(conn, mode);
    }

    if (rc != SQLITE_OK) {
        (void) ngx_campfire_db_result(conn, rc, "opening");
        goto failed;
    }

    if (ngx_campfire_db_wal_map(conn) != NGX_OK) {
        goto failed;
    }

    return conn;

failed:

    ngx_campfire_db_close(conn);

    return NULL;
}


static int
ngx_campfire_db_settle(ngx_campfire_db_conn_t *conn,
    ngx_campfire_db_mode_e mode)
{
    int          rc;
    sqlite3     *db;
    ngx_uint_t   wal;

    db = conn->db;
    wal = 0;

    /* a file that may not be written is opened all the same */

    if (sqlite3_db_readonly(db, "main") == 1) {
        return SQLITE_READONLY;
    }

    (void) sqlite3_busy_timeout(db, NGX_CAMPFIRE_DB_BUSY_TIMEOUT);
    (void) sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    (void) sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    (void) sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);

    rc = sqlite3_exec(db, "PRAGMA journal_mode=WAL",
                      ngx_campfire_db_journal, &wal, NULL);

    if (rc == SQLITE_OK && !wal) {
        return SQLITE_PROTOCOL;
    }

    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(db, ngx_campfire_db_settings, NULL, NULL, NULL);
    }

    /* the first read opens the WAL and its index */

    if (rc == SQLITE_OK) {
        rc = sqlite3_exec(db, "SELECT count(*) FROM sqlite_master", NULL,
                          NULL, NULL);
    }

    if (rc == SQLITE_OK && mode == NGX_CAMPFIRE_DB_READ) {
        rc = sqlite3_exec(db, "PRAGMA query_only=ON", NULL, NULL, NULL);
    }

    return rc;
}


/* Refusing is no error to SQLite: it answers with the mode it stays in. */
static int
ngx_campfire_db_journal(void *data, int n, char **values, char **names)
{
    ngx_uint_t  *wal = data;

    *wal = (n && values[0] && ngx_strcmp(values[0], "wal") == 0);

    return 0;
}


void
ngx_campfire_db_close(ngx_campfire_db_conn_t *conn)
{
    if (conn == NULL) {
        return;
    }

    ngx_campfire_db_stmt_cleanup(conn);

    if (conn->db && sqlite3_close(conn->db) != SQLITE_OK) {
        ngx_log_error(NGX_LOG_ALERT, conn->log, 0,
                      "campfire: \"%V\" was not closed: %s",
                      &conn->instance->database, sqlite3_errmsg(conn->db));
    }

    ngx_free(conn);
}


ngx_int_t
ngx_campfire_db_result(ngx_campfire_db_conn_t *conn, int rc, const char *sql)
{
    int          code;
    const char  *remedy;

    switch (rc & 0xff) {

    case SQLITE_OK:
    case SQLITE_ROW:
        return NGX_OK;

    case SQLITE_DONE:
        return NGX_DONE;

    case SQLITE_CONSTRAINT:
        return NGX_DECLINED;

    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        ngx_log_error(NGX_LOG_WARN, conn->log, 0,
                      "campfire: \"%V\" is locked by another program",
                      &conn->instance->database);
        return NGX_BUSY;

    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        remedy = "see that it exists and that the user of the workers may "
                 "write to it and to its directory";
        break;

    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
        remedy = "it was left as it is, put a backup in its place";
        break;

    case SQLITE_FULL:
        remedy = "make room on the disk";
        break;

    case SQLITE_IOERR:
        remedy = "check the disk and the directory's permissions";
        break;

    case SQLITE_PROTOCOL:
        remedy = "write-ahead logging is refused, keep the database on a "
                 "local file system";
        break;

    default:
        remedy = "no remedy is known";
    }

    code = conn->db ? sqlite3_errcode(conn->db) & 0xff : SQLITE_OK;

    ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                  "campfire: \"%V\": %s (%d) at \"%s\"; %s",
                  &conn->instance->database,
                  (code == (rc & 0xff)) ? sqlite3_errmsg(conn->db)
                                        : sqlite3_errstr(rc),
                  rc, sql, remedy);

    return NGX_ERROR;
}
