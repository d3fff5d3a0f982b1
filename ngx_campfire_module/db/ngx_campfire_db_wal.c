
/*
 * The WAL index: who committed, and how long the log is.
 *
 * The header is read through the mapping that SQLite itself made.  Nobody may
 * ever open the database or its -shm: closing any descriptor of them would
 * drop all locks this process has on them (POSIX locks belong to processes).
 */

#include "db/ngx_campfire_db_conn.h"


#define NGX_CAMPFIRE_DB_WAL_REGION  32768     /* bytes of the first region */
#define NGX_CAMPFIRE_DB_WAL_TRIES   8


static void ngx_campfire_db_wal_copy(volatile u_char *wal, u_char *header);


/*
 * The mapping stays until the connection closes: as long as a process has one
 * open, nobody removes or shortens -shm.
 */
ngx_int_t
ngx_campfire_db_wal_map(ngx_campfire_db_conn_t *conn)
{
    void volatile  *p;
    sqlite3_file   *file;

    file = NULL;
    p = NULL;

    if (sqlite3_file_control(conn->db, "main", SQLITE_FCNTL_FILE_POINTER,
                             &file)
        != SQLITE_OK
        || file == NULL || file->pMethods == NULL
        || file->pMethods->iVersion < 2
        || file->pMethods->xShmMap(file, 0, NGX_CAMPFIRE_DB_WAL_REGION, 0, &p)
           != SQLITE_OK
        || p == NULL)
    {
        ngx_log_error(NGX_LOG_CRIT, conn->log, 0,
                      "campfire: \"%V\" has no WAL index in shared memory, "
                      "is it on a network file system?",
                      &conn->instance->database);
        return NGX_ERROR;
    }

    conn->wal = p;

    return NGX_OK;
}


ngx_int_t
ngx_campfire_db_wal_header(ngx_campfire_db_conn_t *conn, u_char *header)
{
    u_char      second[NGX_CAMPFIRE_DB_WAL_HEADER];
    ngx_uint_t  i;

    for (i = 0; i < NGX_CAMPFIRE_DB_WAL_TRIES; i++) {

        /* a writer stores the second copy first */
        ngx_campfire_db_wal_copy(conn->wal, header);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        ngx_campfire_db_wal_copy(conn->wal + NGX_CAMPFIRE_DB_WAL_HEADER,
                                 second);

        if (ngx_memcmp(header, second, NGX_CAMPFIRE_DB_WAL_HEADER) == 0) {
            return NGX_OK;
        }

        ngx_cpu_pause();
    }

    return NGX_AGAIN;
}


static void
ngx_campfire_db_wal_copy(volatile u_char *wal, u_char *header)
{
    uint64_t            part;
    ngx_uint_t          i;
    volatile uint64_t  *from;

    from = (volatile uint64_t *) wal;

    for (i = 0; i < NGX_CAMPFIRE_DB_WAL_HEADER / sizeof(part); i++) {
        part = from[i];
        ngx_memcpy(header + i * sizeof(part), &part, sizeof(part));
    }
}


/* Numbers lie in the byte order of the machine. */
uint32_t
ngx_campfire_db_wal_change(const u_char *header)
{
    uint32_t  n;

    ngx_memcpy(&n, header + 8, 4);

    return n;
}


uint32_t
ngx_campfire_db_wal_frames(const u_char *header)
{
    uint32_t  n;

    ngx_memcpy(&n, header + 16, 4);

    return n;
}


ngx_int_t
ngx_campfire_db_checkpoint(ngx_campfire_db_conn_t *conn, ngx_uint_t *left)
{
    int  rc, frames, copied;

    frames = copied = 0;

    rc = sqlite3_wal_checkpoint_v2(conn->db, "main",
                                   SQLITE_CHECKPOINT_PASSIVE, &frames,
                                   &copied);

    *left = (frames > copied) ? (ngx_uint_t) (frames - copied) : 0;

    /* another checkpoint or our own transaction under way is no failure */
    if ((rc & 0xff) == SQLITE_BUSY || (rc & 0xff) == SQLITE_LOCKED) {
        return NGX_BUSY;
    }

    return ngx_campfire_db_result(conn, rc, "checkpoint");
}
