
/*
 * The writer: group commit in the thread pool, one batch in flight per
 * worker and instance.  See the essay in ngx_campfire_db_writer.c.
 */

#ifndef _NGX_CAMPFIRE_DB_WRITER_H_INCLUDED_
#define _NGX_CAMPFIRE_DB_WRITER_H_INCLUDED_


#include "db/ngx_campfire_db.h"


#define NGX_CAMPFIRE_DB_WRITER_QUEUE  4096


/*
 * What a transaction did, as data: recorded by models, carried out in order
 * after COMMIT (under the writer lock, in the thread) by the publisher.
 */
typedef enum {
    NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED = 0,  /* room, id; user = author,
                                                 time = created_at */
    NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED,      /* room, id */
    NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED,    /* room, id; text = client id */
    NGX_CAMPFIRE_EFFECT_BOOST_CREATED,        /* room, id; other = message */
    NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED,      /* room, id; other = message */
    NGX_CAMPFIRE_EFFECT_ROOM_CREATED,         /* room */
    NGX_CAMPFIRE_EFFECT_ROOM_UPDATED,         /* room; other = old type */
    NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED,       /* room; other = type */
    NGX_CAMPFIRE_EFFECT_ROOM_OPENED,          /* a ping was started again */
    NGX_CAMPFIRE_EFFECT_INVOLVEMENT,          /* room, user; other = before */
    NGX_CAMPFIRE_EFFECT_MEMBER_ADDED,         /* room, user */
    NGX_CAMPFIRE_EFFECT_READ,                 /* room, user: presence */
    NGX_CAMPFIRE_EFFECT_USER_CHANGED,         /* user */
    NGX_CAMPFIRE_EFFECT_ACCOUNT_CHANGED,
    NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED,    /* user; id = session */
    NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED     /* user; other = reconnect */
} ngx_campfire_effect_e;


typedef struct {
    ngx_queue_t                queue;
    ngx_campfire_effect_e      kind;
    int64_t                    room;
    int64_t                    user;
    int64_t                    id;
    int64_t                    other;
    int64_t                    time;        /* microseconds */
    ngx_str_t                  text;
    ngx_str_t                  stream;      /* set by the publisher: the Turbo
                                               Stream element it sent */
} ngx_campfire_effect_t;


/* What the functions of one job see, in the writer thread. */
struct ngx_campfire_tx_s {
    ngx_campfire_instance_t   *instance;
    ngx_campfire_db_conn_t    *conn;
    ngx_campfire_job_t        *job;
    ngx_pool_t                *pool;        /* the job's own */
    ngx_log_t                 *log;         /* the cycle's */
    int64_t                    now;         /* microseconds, UTC */
    ngx_campfire_signers_t    *signers;
};


/*
 * The write itself, inside BEGIN IMMEDIATE and a savepoint; rights are read
 * again here.  NGX_OK keeps it, any other code rolls this job back alone and
 * is the job's result: NGX_DECLINED (404), NGX_ERROR, or an HTTP status.
 */
typedef ngx_int_t (*ngx_campfire_write_pt)(ngx_campfire_tx_t *tx, void *args);

/* Renders the answer after COMMIT and publishing, in the thread. */
typedef ngx_int_t (*ngx_campfire_answer_pt)(ngx_campfire_tx_t *tx, void *args,
    ngx_campfire_buf_t *out);

/* On the event loop, when the batch is over. Must free the job. */
typedef void (*ngx_campfire_job_done_pt)(ngx_campfire_job_t *job);


struct ngx_campfire_job_s {
    ngx_queue_t                queue;
    ngx_campfire_instance_t   *instance;
    ngx_pool_t                *pool;        /* used by the thread in between */
    ngx_campfire_write_pt      write;
    ngx_campfire_answer_pt     answer;      /* NULL: no bytes wanted */
    void                      *args;
    ngx_campfire_job_done_pt   done;
    void                      *data;
    ngx_str_t                  base_url;    /* for links in fragments */

    ngx_int_t                  rc;          /* NGX_OK: committed */
    ngx_queue_t                effects;     /* ngx_campfire_effect_t */
    ngx_str_t                  body;        /* in pool: what answer made */
    int64_t                    id;          /* a row the write names */
    ngx_str_t                  text;        /* in pool: a text it names */
};


/*
 * Hooks of the layers above, set once per process at start.  before_commit
 * sees all jobs of the batch that are kept (coalesced unread marks); publish
 * carries out the effects of one job.  Both run in the thread, under the
 * lock.  after, when not NULL, runs after unlocking: wakes the workers.
 */
typedef struct {
    ngx_int_t                (*before_commit)(ngx_campfire_tx_t *tx,
                                              ngx_queue_t *jobs);
    void                     (*publish)(ngx_campfire_tx_t *tx);
    void                     (*after)(ngx_campfire_instance_t *instance);
} ngx_campfire_db_writer_hooks_t;

extern ngx_campfire_db_writer_hooks_t  ngx_campfire_db_writer_hooks;


/* Per worker and instance, after ngx_campfire_db_init(). */
ngx_int_t ngx_campfire_db_writer_init(ngx_campfire_instance_t *instance,
    ngx_log_t *log);

/* A job with a pool of its own; NULL: out of memory. */
ngx_campfire_job_t *ngx_campfire_db_writer_job(
    ngx_campfire_instance_t *instance);

/*
 * Queues the job; it starts at the end of this loop iteration.  NGX_BUSY:
 * the queue is full (NGX_CAMPFIRE_DB_WRITER_QUEUE jobs), the job is freed.
 */
ngx_int_t ngx_campfire_db_writer_post(ngx_campfire_job_t *job);

void ngx_campfire_db_writer_free(ngx_campfire_job_t *job);

/* Records an effect of the running job; NULL: out of memory. */
ngx_campfire_effect_t *ngx_campfire_db_writer_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_effect_e kind);

/* The job's first effect of that kind, or NULL. */
ngx_campfire_effect_t *ngx_campfire_db_writer_find_effect(
    ngx_campfire_tx_t *tx, ngx_campfire_effect_e kind);

/*
 * The thread's part of a batch: runs the jobs and sets their results.  Public
 * for tests, which call it without a loop.  NGX_OK: something was committed.
 */
ngx_int_t ngx_campfire_db_writer_run(ngx_campfire_instance_t *instance,
    ngx_queue_t *jobs, ngx_pool_t *pool, ngx_log_t *log);

/* How long a batch waits for the other workers, in milliseconds. */
extern ngx_msec_t  ngx_campfire_db_writer_wait;

/*
 * On the loop, before a read that must be fresh: compares the WAL-index
 * header with what our writers published and raises the global generation
 * after a foreign commit.  Nanoseconds when nothing happened.
 */
void ngx_campfire_db_writer_watch(ngx_campfire_instance_t *instance);


#endif /* _NGX_CAMPFIRE_DB_WRITER_H_INCLUDED_ */
