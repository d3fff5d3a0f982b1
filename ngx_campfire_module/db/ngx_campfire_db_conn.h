
/*
 * What the files of db/ share: a connection and its statements.
 */

#ifndef _NGX_CAMPFIRE_DB_CONN_H_INCLUDED_
#define _NGX_CAMPFIRE_DB_CONN_H_INCLUDED_


#include "db/ngx_campfire_db.h"

#include <sqlite3.h>


#define NGX_CAMPFIRE_DB_BUSY_TIMEOUT  5000    /* ms, as the reference */
#define NGX_CAMPFIRE_DB_BUCKETS       256


struct ngx_campfire_db_stmt_s {
    ngx_campfire_db_conn_t    *conn;
    sqlite3_stmt              *stmt;
    const char                *sql;
    ngx_campfire_db_stmt_t    *next;        /* of the same bucket */
    ngx_uint_t                 params;      /* bindings the SQL has */
    u_char                    *times;       /* text of 't', one per binding */
    unsigned                   active:1;    /* from query to its reset */
};


struct ngx_campfire_db_conn_s {
    ngx_campfire_instance_t   *instance;
    ngx_log_t                 *log;
    sqlite3                   *db;
    volatile u_char           *wal;         /* SQLite's mapping of -shm */
    ngx_uint_t                 active;      /* statements not reset */
    ngx_uint_t                 snapshots;   /* nested begin_read */
    ngx_uint_t                 unfinished;  /* active at the outermost one */
    unsigned                   owned:1;     /* BEGIN was ours */
    ngx_uint_t                 statements;  /* run so far */
    ngx_campfire_db_stmt_t    *buckets[NGX_CAMPFIRE_DB_BUCKETS];
};


typedef enum {
    NGX_CAMPFIRE_DB_READ = 0,     /* refuses to change anything */
    NGX_CAMPFIRE_DB_WRITE,
    NGX_CAMPFIRE_DB_CREATE        /* may make the file */
} ngx_campfire_db_mode_e;


/* Opens the database with all settings stated; NULL: logged. */
ngx_campfire_db_conn_t *ngx_campfire_db_open(ngx_campfire_instance_t *instance,
    ngx_campfire_db_mode_e mode, ngx_log_t *log);

/* Finalizes all statements and closes; conn may be NULL. */
void ngx_campfire_db_close(ngx_campfire_db_conn_t *conn);

/* Finalizes the statements of a connection. */
void ngx_campfire_db_stmt_cleanup(ngx_campfire_db_conn_t *conn);

/* Maps the WAL index; the connection must have read once. */
ngx_int_t ngx_campfire_db_wal_map(ngx_campfire_db_conn_t *conn);

/* The result code for what SQLite answered; logs all but constraints. */
ngx_int_t ngx_campfire_db_result(ngx_campfire_db_conn_t *conn, int rc,
    const char *sql);

/*
 * Creates, upgrades and checks the tables, and ends the presence of an
 * earlier run.  The caller holds the writer lock and may try again.
 */
ngx_int_t ngx_campfire_db_schema(ngx_campfire_instance_t *instance,
    ngx_log_t *log);


#endif /* _NGX_CAMPFIRE_DB_CONN_H_INCLUDED_ */
