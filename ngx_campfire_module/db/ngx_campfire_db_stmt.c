
/*
 * Prepared statements, kept per connection and found by the address of their
 * SQL; and snapshots for several of them.
 */

#include "db/ngx_campfire_db_conn.h"
#include "base/ngx_campfire_base_time.h"


static ngx_campfire_db_stmt_t *ngx_campfire_db_stmt_get(
    ngx_campfire_db_conn_t *conn, const char *sql);
static ngx_campfire_db_stmt_t *ngx_campfire_db_stmt_start(
    ngx_campfire_db_conn_t *conn, const char *sql, const char *fmt,
    va_list args);
static void ngx_campfire_db_stmt_abandon(ngx_campfire_db_conn_t *conn);


/*
 * A statement that is being stepped through is left alone: the same SQL
 * nested in its own loop gets another.
 */
static ngx_campfire_db_stmt_t *
ngx_campfire_db_stmt_get(ngx_campfire_db_conn_t *conn, const char *sql)
{
    int                       rc;
    ngx_uint_t                n;
    ngx_campfire_db_stmt_t   *s;

    n = ((uintptr_t) sql >> 3) % NGX_CAMPFIRE_DB_BUCKETS;

    for (s = conn->buckets[n]; s; s = s->next) {
        if (s->sql == sql && !s->active) {
            return s;
        }
    }

    s = ngx_calloc(sizeof(ngx_campfire_db_stmt_t), conn->log);
    if (s == NULL) {
        return NULL;
    }

    rc = sqlite3_prepare_v3(conn->db, sql, -1, SQLITE_PREPARE_PERSISTENT,
                            &s->stmt, NULL);

    if (rc != SQLITE_OK) {
        (void) ngx_campfire_db_result(conn, rc, sql);
        ngx_free(s);
        return NULL;
    }

    s->conn = conn;
    s->sql = sql;
    s->params = sqlite3_bind_parameter_count(s->stmt);

    if (s->params) {
        s->times = ngx_alloc(s->params * NGX_CAMPFIRE_BASE_TIME_LEN,
                             conn->log);
        if (s->times == NULL) {
            (void) sqlite3_finalize(s->stmt);
            ngx_free(s);
            return NULL;
        }
    }

    s->next = conn->buckets[n];
    conn->buckets[n] = s;

    return s;
}


void
ngx_campfire_db_stmt_cleanup(ngx_campfire_db_conn_t *conn)
{
    ngx_uint_t               i;
    ngx_campfire_db_stmt_t  *s, *next;

    for (i = 0; i < NGX_CAMPFIRE_DB_BUCKETS; i++) {

        for (s = conn->buckets[i]; s; s = next) {
            next = s->next;
            (void) sqlite3_finalize(s->stmt);

            if (s->times) {
                ngx_free(s->times);
            }

            ngx_free(s);
        }

        conn->buckets[i] = NULL;
    }
}


static ngx_campfire_db_stmt_t *
ngx_campfire_db_stmt_start(ngx_campfire_db_conn_t *conn, const char *sql,
    const char *fmt, va_list args)
{
    int                      i, rc;
    size_t                   len;
    u_char                  *time;
    int64_t                  us;
    ngx_str_t               *str;
    ngx_campfire_db_stmt_t  *s;

    s = ngx_campfire_db_stmt_get(conn, sql);
    if (s == NULL) {
        return NULL;
    }

    if (ngx_strlen(fmt) != s->params) {
        ngx_log_error(NGX_LOG_ALERT, conn->log, 0,
                      "campfire: %ui bindings instead of %ui for \"%s\"",
                      (ngx_uint_t) ngx_strlen(fmt), s->params, sql);
        return NULL;
    }

    time = s->times;

    for (i = 1; *fmt; i++, fmt++, time += NGX_CAMPFIRE_BASE_TIME_LEN) {

        switch (*fmt) {

        case 'i':
            rc = sqlite3_bind_int64(s->stmt, i, va_arg(args, int64_t));
            break;

        case 's':
            str = va_arg(args, ngx_str_t *);

            if (str) {
                rc = sqlite3_bind_text64(s->stmt, i,
                                         str->data ? (char *) str->data : "",
                                         str->len, SQLITE_STATIC,
                                         SQLITE_UTF8);
            } else {
                rc = sqlite3_bind_null(s->stmt, i);
            }

            break;

        case 'b':
            str = va_arg(args, ngx_str_t *);

            if (str) {
                rc = sqlite3_bind_blob64(s->stmt, i,
                                         str->data ? (char *) str->data : "",
                                         str->len, SQLITE_STATIC);
            } else {
                rc = sqlite3_bind_null(s->stmt, i);
            }

            break;

        default: /* 't' */
            us = va_arg(args, int64_t);

            if (us) {
                len = ngx_campfire_base_time_db(time, us);
                rc = sqlite3_bind_text(s->stmt, i, (char *) time, (int) len,
                                       SQLITE_STATIC);

            } else {
                rc = sqlite3_bind_null(s->stmt, i);
            }
        }

        if (rc != SQLITE_OK) {
            (void) ngx_campfire_db_result(conn, rc, sql);
            (void) sqlite3_clear_bindings(s->stmt);
            return NULL;
        }
    }

    s->active = 1;
    conn->active++;
    conn->statements++;

    return s;
}


ngx_campfire_db_stmt_t *
ngx_campfire_db_query(ngx_campfire_db_conn_t *conn, const char *sql,
    const char *fmt, ...)
{
    va_list                  args;
    ngx_campfire_db_stmt_t  *s;

    va_start(args, fmt);
    s = ngx_campfire_db_stmt_start(conn, sql, fmt, args);
    va_end(args);

    return s;
}


ngx_int_t
ngx_campfire_db_step(ngx_campfire_db_stmt_t *s)
{
    int        rc;
    ngx_int_t  result;

    if (s == NULL) {
        return NGX_ERROR;
    }

    rc = sqlite3_step(s->stmt);

    if (rc == SQLITE_ROW) {
        return NGX_OK;
    }

    result = ngx_campfire_db_result(s->conn, rc, s->sql);
    ngx_campfire_db_reset(s);

    return result;
}


void
ngx_campfire_db_reset(ngx_campfire_db_stmt_t *s)
{
    if (s && s->active) {
        (void) sqlite3_reset(s->stmt);
        (void) sqlite3_clear_bindings(s->stmt);
        s->active = 0;
        s->conn->active--;
    }
}


int64_t
ngx_campfire_db_int(ngx_campfire_db_stmt_t *s, int col)
{
    return sqlite3_column_int64(s->stmt, col);
}


/* Text that is no instant, which other programs may leave, counts as NULL. */
int64_t
ngx_campfire_db_time(ngx_campfire_db_stmt_t *s, int col)
{
    int64_t              us;
    const unsigned char *text;

    text = sqlite3_column_text(s->stmt, col);

    if (text == NULL
        || ngx_campfire_base_time_parse(text,
                                        sqlite3_column_bytes(s->stmt, col),
                                        &us)
           != NGX_OK)
    {
        return 0;
    }

    return us;
}


ngx_int_t
ngx_campfire_db_text(ngx_campfire_db_stmt_t *s, int col, ngx_pool_t *pool,
    ngx_str_t *text)
{
    const unsigned char  *data;

    text->len = 0;
    text->data = NULL;

    data = sqlite3_column_text(s->stmt, col);

    if (data == NULL) {
        return sqlite3_column_type(s->stmt, col) == SQLITE_NULL ? NGX_OK
                                                                : NGX_ERROR;
    }

    text->len = sqlite3_column_bytes(s->stmt, col);

    /* one byte more, so that empty text is not NULL */
    text->data = ngx_pnalloc(pool, text->len + 1);
    if (text->data == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(text->data, data, text->len);

    return NGX_OK;
}


ngx_uint_t
ngx_campfire_db_null(ngx_campfire_db_stmt_t *s, int col)
{
    return sqlite3_column_type(s->stmt, col) == SQLITE_NULL;
}


ngx_int_t
ngx_campfire_db_exec(ngx_campfire_db_conn_t *conn, const char *sql,
    const char *fmt, ...)
{
    va_list                  args;
    ngx_int_t                rc;
    ngx_campfire_db_stmt_t  *s;

    va_start(args, fmt);
    s = ngx_campfire_db_stmt_start(conn, sql, fmt, args);
    va_end(args);

    rc = ngx_campfire_db_step(s);

    if (rc == NGX_OK) {
        ngx_campfire_db_reset(s);
    }

    return (rc == NGX_DONE) ? NGX_OK : rc;
}


ngx_int_t
ngx_campfire_db_get_int(ngx_campfire_db_conn_t *conn, int64_t *value,
    const char *sql, const char *fmt, ...)
{
    va_list                  args;
    ngx_int_t                rc;
    ngx_campfire_db_stmt_t  *s;

    va_start(args, fmt);
    s = ngx_campfire_db_stmt_start(conn, sql, fmt, args);
    va_end(args);

    rc = ngx_campfire_db_step(s);

    if (rc == NGX_OK) {
        *value = ngx_campfire_db_int(s, 0);
        ngx_campfire_db_reset(s);
    }

    return rc;
}


int64_t
ngx_campfire_db_last_id(ngx_campfire_db_conn_t *conn)
{
    return sqlite3_last_insert_rowid(conn->db);
}


ngx_int_t
ngx_campfire_db_changes(ngx_campfire_db_conn_t *conn)
{
    return sqlite3_changes(conn->db);
}


ngx_uint_t
ngx_campfire_db_statements(ngx_campfire_db_conn_t *conn)
{
    return conn->statements;
}


/* Inside a transaction of the writer there is a snapshot already. */
ngx_int_t
ngx_campfire_db_begin_read(ngx_campfire_db_conn_t *conn)
{
    ngx_int_t  rc;

    if (conn->snapshots++ == 0 && sqlite3_get_autocommit(conn->db)) {

        conn->unfinished = conn->active;

        rc = ngx_campfire_db_exec(conn, "BEGIN", "");

        if (rc != NGX_OK) {
            conn->snapshots--;
            return rc;
        }

        conn->owned = 1;
    }

    return NGX_OK;
}


void
ngx_campfire_db_end_read(ngx_campfire_db_conn_t *conn)
{
    if (conn->snapshots == 0 || --conn->snapshots) {
        return;
    }

    if (conn->owned) {
        conn->owned = 0;

        if (conn->active && conn->unfinished == 0) {
            ngx_campfire_db_stmt_abandon(conn);
        }

        /* an error may have ended the transaction before */
        if (!sqlite3_get_autocommit(conn->db)) {
            (void) ngx_campfire_db_exec(conn, "COMMIT", "");
        }
    }
}


/* A forgotten reset would keep the snapshot, and the WAL could not restart. */
static void
ngx_campfire_db_stmt_abandon(ngx_campfire_db_conn_t *conn)
{
    ngx_uint_t               i;
    ngx_campfire_db_stmt_t  *s;

    for (i = 0; i < NGX_CAMPFIRE_DB_BUCKETS; i++) {

        for (s = conn->buckets[i]; s; s = s->next) {

            if (s->active) {
                ngx_log_error(NGX_LOG_ALERT, conn->log, 0,
                              "campfire: a statement was not reset: \"%s\"",
                              s->sql);
                ngx_campfire_db_reset(s);
            }
        }
    }
}
