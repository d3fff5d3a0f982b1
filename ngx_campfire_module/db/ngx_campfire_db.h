
/*
 * Connections and statements.  db/ is the only place that knows sqlite3.h.
 *
 * A worker has three connections per instance, opened after fork: `read` for
 * the event loop, `thread` for reads in the thread pool, `write` for the
 * writer.  A connection is used by one thread at a time.
 *
 * Statements are prepared once per connection and found again by the address
 * of their SQL, which therefore must be a string literal (or static const).
 */

#ifndef _NGX_CAMPFIRE_DB_H_INCLUDED_
#define _NGX_CAMPFIRE_DB_H_INCLUDED_


#include "ngx_campfire.h"


struct ngx_campfire_db_s {
    ngx_campfire_instance_t   *instance;
    ngx_campfire_db_conn_t    *read;
    ngx_campfire_db_conn_t    *thread;
    ngx_campfire_db_conn_t    *write;
};


/*
 * Called after fork.  Creates the database from schema/ when there is none,
 * upgrades an older one (both under the instance's writer lock), opens the
 * three connections and sets instance->db.  NGX_ERROR: logged with file and
 * remedy; the caller tries again each second.
 */
ngx_int_t ngx_campfire_db_init(ngx_campfire_instance_t *instance,
    ngx_log_t *log);

/* Closes all; the last process to close checkpoints and removes the WAL. */
void ngx_campfire_db_cleanup(ngx_campfire_instance_t *instance);


/*
 * Starts a statement.  fmt names the bindings in order: 'i' int64_t, 's'
 * ngx_str_t * (text; NULL pointer = NULL), 't' int64_t microseconds as
 * database text (0 = NULL), 'b' ngx_str_t * (blob).  Bound bytes must live
 * until the statement is reset.  NULL: logged.
 */
ngx_campfire_db_stmt_t *ngx_campfire_db_query(ngx_campfire_db_conn_t *conn,
    const char *sql, const char *fmt, ...);

/*
 * NGX_OK: there is a row.  NGX_DONE: there are no more, the statement is
 * reset.  NGX_BUSY, NGX_ERROR: reset, too, and logged; NGX_DECLINED: a
 * uniqueness or other constraint refused (reset, not logged).
 */
ngx_int_t ngx_campfire_db_step(ngx_campfire_db_stmt_t *stmt);

/* Ends a query before its last row; needed after every early stop. */
void ngx_campfire_db_reset(ngx_campfire_db_stmt_t *stmt);

/* Columns of the current row, from 0.  Text is copied to pool memory. */
int64_t ngx_campfire_db_int(ngx_campfire_db_stmt_t *stmt, int col);
int64_t ngx_campfire_db_time(ngx_campfire_db_stmt_t *stmt, int col);
ngx_int_t ngx_campfire_db_text(ngx_campfire_db_stmt_t *stmt, int col,
    ngx_pool_t *pool, ngx_str_t *text);         /* NULL gives len 0, data NULL */
ngx_uint_t ngx_campfire_db_null(ngx_campfire_db_stmt_t *stmt, int col);

/* Runs a statement without rows: NGX_OK or as step. */
ngx_int_t ngx_campfire_db_exec(ngx_campfire_db_conn_t *conn, const char *sql,
    const char *fmt, ...);

/* The first column of the first row: NGX_OK, NGX_DONE (no row), or as step. */
ngx_int_t ngx_campfire_db_get_int(ngx_campfire_db_conn_t *conn,
    int64_t *value, const char *sql, const char *fmt, ...);

int64_t ngx_campfire_db_last_id(ngx_campfire_db_conn_t *conn);
ngx_int_t ngx_campfire_db_changes(ngx_campfire_db_conn_t *conn);

/* One snapshot for all statements between; nested calls are counted. */
ngx_int_t ngx_campfire_db_begin_read(ngx_campfire_db_conn_t *conn);
void ngx_campfire_db_end_read(ngx_campfire_db_conn_t *conn);

/* Statements run so far on this connection, for tests and status. */
ngx_uint_t ngx_campfire_db_statements(ngx_campfire_db_conn_t *conn);


/*
 * The 48-byte WAL-index header, through SQLite's own mapping (see
 * ngx_campfire_db_wal.c).  NGX_AGAIN: a writer is between the two copies.
 */
#define NGX_CAMPFIRE_DB_WAL_HEADER  48

ngx_int_t ngx_campfire_db_wal_header(ngx_campfire_db_conn_t *conn,
    u_char *header);
uint32_t ngx_campfire_db_wal_change(const u_char *header);
uint32_t ngx_campfire_db_wal_frames(const u_char *header);

/* One PASSIVE checkpoint; *left is the number of frames not yet copied. */
ngx_int_t ngx_campfire_db_checkpoint(ngx_campfire_db_conn_t *conn,
    ngx_uint_t *left);


#endif /* _NGX_CAMPFIRE_DB_H_INCLUDED_ */
