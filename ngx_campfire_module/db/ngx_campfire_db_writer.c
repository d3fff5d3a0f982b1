
/*
 * The writer: all changes of the database, in groups, in a thread.
 *
 * A job is a function and its arguments.  Jobs of one loop iteration gather
 * in a queue; when it ends, up to 64 of them go to the thread pool as one
 * batch, and whatever comes in the meantime is the next batch.  At most one
 * is on its way per worker and instance, so the connection has one user.
 *
 * In the thread, under the lock that all workers of the zone share:
 *
 *     BEGIN IMMEDIATE     from here on nobody else writes, not even Rails
 *     h0 != seen          somebody did before: everything cached is stale
 *     each job            in a savepoint: one that fails is undone alone
 *     before_commit       marks that need doing once for the whole batch
 *     COMMIT
 *     seen = h1           the header that readers compare with
 *     generations         of what the jobs changed
 *     publish             renders and appends to the ring: ring order is
 *                         commit order
 *
 * and without the lock: waking the workers, and the bytes of the answers.
 * After COMMIT nothing may become an error any more, the change stands.
 *
 * Checkpoints are ours (nginx-engineering figures: SQLite's own run inside
 * some unlucky COMMIT).  From 4,000 frames on, a PASSIVE one copies the bulk
 * while others write; then, with the lock, another takes the short rest, so
 * that the next commit can begin the log anew.  A second after the last write
 * a PASSIVE one leaves a small log to whoever opens the database next.
 */

#include "db/ngx_campfire_db_writer.h"
#include "db/ngx_campfire_db_conn.h"
#include "shm/ngx_campfire_shm.h"

#include <ngx_event.h>


#define NGX_CAMPFIRE_DB_WRITER_BATCH   64
#define NGX_CAMPFIRE_DB_WRITER_FRAMES  4000
#define NGX_CAMPFIRE_DB_WRITER_QUIET   1000     /* ms */
#define NGX_CAMPFIRE_DB_WRITER_HOLD    60000    /* ms */


struct ngx_campfire_writer_s {
    ngx_campfire_instance_t   *instance;
    ngx_log_t                 *log;
    ngx_queue_t                queue;       /* jobs waiting */
    ngx_uint_t                 queued;
    ngx_queue_t                batch;       /* jobs in the thread */
    ngx_uint_t                 running;
    ngx_uint_t                 idle;        /* the task only checkpoints */
    ngx_uint_t                 dirty;       /* frames since the last one */
    ngx_thread_task_t          task;
    ngx_event_t                flush;       /* end of the loop iteration */
    ngx_event_t                quiet;
    ngx_event_t                hold;        /* keeps a quitting worker */
};


static void ngx_campfire_db_writer_flush(ngx_event_t *ev);
static void ngx_campfire_db_writer_start(ngx_campfire_writer_t *w);
static void ngx_campfire_db_writer_thread(void *data, ngx_log_t *log);
static void ngx_campfire_db_writer_done(ngx_event_t *ev);
static void ngx_campfire_db_writer_quiet(ngx_event_t *ev);
static void ngx_campfire_db_writer_held(ngx_event_t *ev);
static ngx_int_t ngx_campfire_db_writer_commit(ngx_campfire_instance_t *in,
    ngx_queue_t *jobs, ngx_pool_t *pool, ngx_log_t *log);
static ngx_uint_t ngx_campfire_db_writer_run_jobs(ngx_campfire_tx_t *tx,
    ngx_queue_t *jobs);
static void ngx_campfire_db_writer_fail(ngx_queue_t *jobs, ngx_int_t rc);
static void ngx_campfire_db_writer_published(ngx_campfire_tx_t *tx,
    ngx_queue_t *jobs, u_char *h0);
static void ngx_campfire_db_writer_generations(ngx_campfire_sh_t *sh,
    ngx_campfire_job_t *job);
static void ngx_campfire_db_writer_answers(ngx_campfire_tx_t *tx,
    ngx_queue_t *jobs);
static void ngx_campfire_db_writer_checkpoint(ngx_campfire_instance_t *in);
static void ngx_campfire_db_writer_tx(ngx_campfire_tx_t *tx,
    ngx_campfire_instance_t *in, ngx_pool_t *pool, ngx_log_t *log);


ngx_campfire_db_writer_hooks_t  ngx_campfire_db_writer_hooks;
ngx_msec_t                      ngx_campfire_db_writer_wait = 5000;


ngx_int_t
ngx_campfire_db_writer_init(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    ngx_campfire_writer_t  *w;
    u_char                  header[NGX_CAMPFIRE_DB_WAL_HEADER];

    w = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_campfire_writer_t));
    if (w == NULL) {
        return NGX_ERROR;
    }

    w->instance = in;
    w->log = log;

    ngx_queue_init(&w->queue);
    ngx_queue_init(&w->batch);

    w->task.ctx = w;
    w->task.handler = ngx_campfire_db_writer_thread;
    w->task.event.handler = ngx_campfire_db_writer_done;
    w->task.event.data = w;

    w->flush.handler = ngx_campfire_db_writer_flush;
    w->flush.data = w;
    w->flush.log = log;

    w->quiet.handler = ngx_campfire_db_writer_quiet;
    w->quiet.data = w;
    w->quiet.log = log;
    w->quiet.cancelable = 1;

    w->hold.handler = ngx_campfire_db_writer_held;
    w->hold.data = w;
    w->hold.log = log;

    /* what is in the log at the first start is nobody's foreign commit */

    if (in->sh->seen_seq == 0
        && ngx_campfire_shm_trylock(in->sh) == NGX_OK)
    {
        if (in->sh->seen_seq == 0
            && ngx_campfire_db_wal_header(in->db->read, header) == NGX_OK)
        {
            ngx_campfire_shm_seen_set(in->sh, header);
        }

        ngx_campfire_shm_release(in->sh);
    }

    in->writer = w;

    return NGX_OK;
}


ngx_campfire_job_t *
ngx_campfire_db_writer_job(ngx_campfire_instance_t *in)
{
    ngx_pool_t          *pool;
    ngx_campfire_job_t  *job;

    pool = ngx_create_pool(4096, ngx_cycle->log);
    if (pool == NULL) {
        return NULL;
    }

    job = ngx_pcalloc(pool, sizeof(ngx_campfire_job_t));
    if (job == NULL) {
        ngx_destroy_pool(pool);
        return NULL;
    }

    job->instance = in;
    job->pool = pool;
    job->rc = NGX_ERROR;

    ngx_queue_init(&job->effects);

    return job;
}


void
ngx_campfire_db_writer_free(ngx_campfire_job_t *job)
{
    ngx_destroy_pool(job->pool);
}


ngx_int_t
ngx_campfire_db_writer_post(ngx_campfire_job_t *job)
{
    ngx_campfire_writer_t  *w;

    w = job->instance->writer;

    if (w == NULL || w->queued >= NGX_CAMPFIRE_DB_WRITER_QUEUE) {

        ngx_campfire_shm_count(job->instance->sh,
                               NGX_CAMPFIRE_COUNTER_JOBS_BUSY);
        ngx_campfire_db_writer_free(job);

        return NGX_BUSY;
    }

    ngx_queue_insert_tail(&w->queue, &job->queue);
    w->queued++;

    if (!w->running && !w->flush.posted) {
        ngx_post_event(&w->flush, &ngx_posted_events);
    }

    if (!w->hold.timer_set) {
        ngx_add_timer(&w->hold, NGX_CAMPFIRE_DB_WRITER_HOLD);
    }

    return NGX_OK;
}


ngx_campfire_effect_t *
ngx_campfire_db_writer_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_effect_e kind)
{
    ngx_campfire_effect_t  *effect;

    effect = ngx_pcalloc(tx->pool, sizeof(ngx_campfire_effect_t));
    if (effect == NULL) {
        return NULL;
    }

    effect->kind = kind;
    ngx_queue_insert_tail(&tx->job->effects, &effect->queue);

    return effect;
}


ngx_campfire_effect_t *
ngx_campfire_db_writer_find_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_effect_e kind)
{
    ngx_queue_t            *q;
    ngx_campfire_effect_t  *effect;

    for (q = ngx_queue_head(&tx->job->effects);
         q != ngx_queue_sentinel(&tx->job->effects);
         q = ngx_queue_next(q))
    {
        effect = ngx_queue_data(q, ngx_campfire_effect_t, queue);

        if (effect->kind == kind) {
            return effect;
        }
    }

    return NULL;
}


static void
ngx_campfire_db_writer_flush(ngx_event_t *ev)
{
    ngx_campfire_db_writer_start(ev->data);
}


static void
ngx_campfire_db_writer_start(ngx_campfire_writer_t *w)
{
    ngx_uint_t    n;
    ngx_queue_t  *q;

    if (w->running || ngx_queue_empty(&w->queue)) {
        return;
    }

    for (n = 0;
         n < NGX_CAMPFIRE_DB_WRITER_BATCH && !ngx_queue_empty(&w->queue);
         n++)
    {
        q = ngx_queue_head(&w->queue);
        ngx_queue_remove(q);
        ngx_queue_insert_tail(&w->batch, q);
    }

    w->queued -= n;
    w->running = 1;
    w->idle = 0;

    if (w->quiet.timer_set) {
        ngx_del_timer(&w->quiet);
    }

    if (ngx_thread_task_post(w->instance->threads, &w->task) != NGX_OK) {

        /* the pool's queue is full of other work */
        ngx_campfire_db_writer_fail(&w->batch, NGX_BUSY);
        ngx_campfire_db_writer_done(&w->task.event);
    }
}


/* Stays armed as long as there is work. */
static void
ngx_campfire_db_writer_held(ngx_event_t *ev)
{
    ngx_campfire_writer_t  *w = ev->data;

    if (w->running || w->queued) {
        ngx_add_timer(ev, NGX_CAMPFIRE_DB_WRITER_HOLD);
    }
}


static void
ngx_campfire_db_writer_done(ngx_event_t *ev)
{
    ngx_queue_t             jobs, *q;
    ngx_campfire_job_t     *job;
    ngx_campfire_writer_t  *w = ev->data;

    ngx_queue_init(&jobs);

    while (!ngx_queue_empty(&w->batch)) {
        q = ngx_queue_head(&w->batch);
        ngx_queue_remove(q);
        ngx_queue_insert_tail(&jobs, q);
    }

    w->running = 0;

    /* the next batch runs while this one is answered */
    ngx_campfire_db_writer_start(w);

    while (!ngx_queue_empty(&jobs)) {
        q = ngx_queue_head(&jobs);
        ngx_queue_remove(q);

        job = ngx_queue_data(q, ngx_campfire_job_t, queue);
        job->done(job);
    }

    if (w->running || w->queued) {
        return;
    }

    if (w->hold.timer_set) {
        ngx_del_timer(&w->hold);
    }

    if (w->dirty) {
        ngx_add_timer(&w->quiet, NGX_CAMPFIRE_DB_WRITER_QUIET);
    }
}


static void
ngx_campfire_db_writer_quiet(ngx_event_t *ev)
{
    ngx_campfire_writer_t  *w = ev->data;

    if (w->running || ngx_exiting) {
        return;
    }

    w->running = 1;
    w->idle = 1;

    if (ngx_thread_task_post(w->instance->threads, &w->task) != NGX_OK) {
        w->running = 0;
    }
}


static void
ngx_campfire_db_writer_thread(void *data, ngx_log_t *log)
{
    ngx_pool_t             *pool;
    ngx_uint_t              left;
    ngx_campfire_writer_t  *w = data;

    if (w->idle) {
        if (ngx_campfire_db_checkpoint(w->instance->db->write, &left)
            == NGX_OK)
        {
            ngx_campfire_shm_count(w->instance->sh,
                                   NGX_CAMPFIRE_COUNTER_CHECKPOINTS);
        }

        w->dirty = 0;

        return;
    }

    pool = ngx_create_pool(4096, w->log);

    if (pool == NULL) {
        ngx_campfire_db_writer_fail(&w->batch, NGX_ERROR);
        return;
    }

    if (ngx_campfire_db_writer_run(w->instance, &w->batch, pool, w->log)
        == NGX_OK)
    {
        w->dirty = 1;
    }

    ngx_destroy_pool(pool);
}


ngx_int_t
ngx_campfire_db_writer_run(ngx_campfire_instance_t *in, ngx_queue_t *jobs,
    ngx_pool_t *pool, ngx_log_t *log)
{
    u_char              header[NGX_CAMPFIRE_DB_WAL_HEADER];
    ngx_int_t           rc;
    ngx_uint_t          died;
    ngx_campfire_tx_t   tx;

    rc = ngx_campfire_shm_lock(in->sh, ngx_campfire_db_writer_wait, &died);

    if (rc != NGX_OK) {
        ngx_log_error(NGX_LOG_WARN, log, 0,
                      "campfire: the other workers kept \"%V\" busy for %M ms",
                      &in->database, ngx_campfire_db_writer_wait);
        ngx_campfire_db_writer_fail(jobs, NGX_BUSY);
        return rc;
    }

    if (died) {

        /* what he committed and did not publish is for all to read anew */

        ngx_log_error(NGX_LOG_WARN, log, 0,
                      "campfire: a worker died while it wrote to \"%V\"",
                      &in->database);
        (void) ngx_atomic_fetch_add(&in->sh->global, 1);
    }

    rc = ngx_campfire_db_writer_commit(in, jobs, pool, log);

    ngx_campfire_shm_unlock(in->sh);

    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_db_writer_hooks.after) {
        ngx_campfire_db_writer_hooks.after(in);
    }

    ngx_campfire_db_writer_tx(&tx, in, pool, log);
    ngx_campfire_db_writer_answers(&tx, jobs);

    if (ngx_campfire_db_wal_header(in->db->write, header) == NGX_OK
        && ngx_campfire_db_wal_frames(header) >= NGX_CAMPFIRE_DB_WRITER_FRAMES)
    {
        ngx_campfire_db_writer_checkpoint(in);
    }

    return NGX_OK;
}


static void
ngx_campfire_db_writer_tx(ngx_campfire_tx_t *tx, ngx_campfire_instance_t *in,
    ngx_pool_t *pool, ngx_log_t *log)
{
    struct timeval  tv;

    ngx_gettimeofday(&tv);

    ngx_memzero(tx, sizeof(ngx_campfire_tx_t));

    tx->instance = in;
    tx->conn = in->db->write;
    tx->pool = pool;
    tx->log = log;
    tx->now = (int64_t) tv.tv_sec * 1000000 + tv.tv_usec;
    tx->signers = &in->thread_signers;
}


/* NGX_OK: something was committed and published. */
static ngx_int_t
ngx_campfire_db_writer_commit(ngx_campfire_instance_t *in, ngx_queue_t *jobs,
    ngx_pool_t *pool, ngx_log_t *log)
{
    u_char              h0[NGX_CAMPFIRE_DB_WAL_HEADER];
    u_char              seen[NGX_CAMPFIRE_DB_WAL_HEADER];
    ngx_int_t           rc;
    ngx_uint_t          kept;
    ngx_campfire_tx_t   tx;

    ngx_campfire_db_writer_tx(&tx, in, pool, log);

    rc = ngx_campfire_db_exec(tx.conn, "BEGIN IMMEDIATE", "");

    if (rc != NGX_OK) {
        ngx_campfire_db_writer_fail(jobs, rc);
        return rc;
    }

    /* he who holds the lock of SQLite sees no half-written header */

    ngx_campfire_shm_seen_get(in->sh, seen);

    if (ngx_campfire_db_wal_header(tx.conn, h0) != NGX_OK
        || ngx_memcmp(h0, seen, sizeof(h0)) != 0)
    {
        (void) ngx_atomic_fetch_add(&in->sh->global, 1);
        ngx_campfire_shm_count(in->sh, NGX_CAMPFIRE_COUNTER_FOREIGN_COMMITS);
        ngx_campfire_shm_seen_set(in->sh, h0);
    }

    kept = ngx_campfire_db_writer_run_jobs(&tx, jobs);

    rc = NGX_DECLINED;
    tx.job = NULL;
    tx.pool = pool;

    if (kept) {
        rc = NGX_OK;

        if (ngx_campfire_db_writer_hooks.before_commit) {
            rc = ngx_campfire_db_writer_hooks.before_commit(&tx, jobs);
        }

        if (rc == NGX_OK) {
            rc = ngx_campfire_db_exec(tx.conn, "COMMIT", "");
        }

        if (rc != NGX_OK) {
            ngx_campfire_db_writer_fail(jobs, rc);
        }
    }

    if (rc != NGX_OK) {
        if (!sqlite3_get_autocommit(tx.conn->db)) {
            (void) ngx_campfire_db_exec(tx.conn, "ROLLBACK", "");
        }

        return rc;
    }

    ngx_campfire_shm_count(in->sh, NGX_CAMPFIRE_COUNTER_BATCHES);
    ngx_campfire_shm_add(in->sh, NGX_CAMPFIRE_COUNTER_JOBS, kept);

    ngx_campfire_db_writer_published(&tx, jobs, h0);

    return NGX_OK;
}


/* The number of jobs that stand. */
static ngx_uint_t
ngx_campfire_db_writer_run_jobs(ngx_campfire_tx_t *tx, ngx_queue_t *jobs)
{
    ngx_uint_t           kept;
    ngx_queue_t         *q;
    ngx_campfire_job_t  *job;

    kept = 0;

    for (q = ngx_queue_head(jobs);
         q != ngx_queue_sentinel(jobs);
         q = ngx_queue_next(q))
    {
        job = ngx_queue_data(q, ngx_campfire_job_t, queue);

        tx->job = job;
        tx->pool = job->pool;

        job->rc = ngx_campfire_db_exec(tx->conn, "SAVEPOINT job", "");

        if (job->rc == NGX_OK) {
            job->rc = job->write(tx, job->args);
        }

        /* a full disk ends the whole transaction, and all before us */

        if (sqlite3_get_autocommit(tx->conn->db)) {
            ngx_campfire_db_writer_fail(jobs, NGX_ERROR);
            return 0;
        }

        if (job->rc == NGX_OK) {
            job->rc = ngx_campfire_db_exec(tx->conn, "RELEASE job", "");
        }

        if (job->rc == NGX_OK) {
            kept++;
            continue;
        }

        ngx_queue_init(&job->effects);
        ngx_campfire_shm_count(tx->instance->sh,
                               NGX_CAMPFIRE_COUNTER_JOBS_FAILED);

        if (ngx_campfire_db_exec(tx->conn, "ROLLBACK TO job", "") != NGX_OK
            || ngx_campfire_db_exec(tx->conn, "RELEASE job", "") != NGX_OK)
        {
            ngx_campfire_db_writer_fail(jobs, NGX_ERROR);
            return 0;
        }
    }

    return kept;
}


/* Jobs that failed on their own keep their own result. */
static void
ngx_campfire_db_writer_fail(ngx_queue_t *jobs, ngx_int_t rc)
{
    ngx_queue_t         *q;
    ngx_campfire_job_t  *job;

    /* a constraint at COMMIT is nothing a reader can mend */
    rc = (rc == NGX_BUSY) ? NGX_BUSY : NGX_ERROR;

    for (q = ngx_queue_head(jobs);
         q != ngx_queue_sentinel(jobs);
         q = ngx_queue_next(q))
    {
        job = ngx_queue_data(q, ngx_campfire_job_t, queue);

        if (job->rc == NGX_OK || job->rc == NGX_ERROR) {
            job->rc = rc;
        }

        ngx_queue_init(&job->effects);
    }
}


static void
ngx_campfire_db_writer_published(ngx_campfire_tx_t *tx, ngx_queue_t *jobs,
    u_char *h0)
{
    u_char               h1[NGX_CAMPFIRE_DB_WAL_HEADER];
    ngx_queue_t         *q;
    ngx_campfire_sh_t   *sh;
    ngx_campfire_job_t  *job;

    sh = tx->instance->sh;

    if (ngx_campfire_db_wal_header(tx->conn, h1) != NGX_OK
        || ngx_campfire_db_wal_change(h1) - ngx_campfire_db_wal_change(h0) > 1)
    {
        /* somebody committed right behind us */
        (void) ngx_atomic_fetch_add(&sh->global, 1);
        ngx_campfire_shm_count(sh, NGX_CAMPFIRE_COUNTER_FOREIGN_COMMITS);
    }

    for (q = ngx_queue_head(jobs);
         q != ngx_queue_sentinel(jobs);
         q = ngx_queue_next(q))
    {
        job = ngx_queue_data(q, ngx_campfire_job_t, queue);

        if (job->rc == NGX_OK) {
            ngx_campfire_db_writer_generations(sh, job);
        }
    }

    ngx_campfire_shm_seen_set(sh, h1);

    if (ngx_campfire_db_writer_hooks.publish == NULL) {
        return;
    }

    for (q = ngx_queue_head(jobs);
         q != ngx_queue_sentinel(jobs);
         q = ngx_queue_next(q))
    {
        job = ngx_queue_data(q, ngx_campfire_job_t, queue);

        if (job->rc == NGX_OK && !ngx_queue_empty(&job->effects)) {
            tx->job = job;
            tx->pool = job->pool;
            ngx_campfire_db_writer_hooks.publish(tx);
        }
    }
}


/* What pages depend on: nginx-engineering §12.6. */
static void
ngx_campfire_db_writer_generations(ngx_campfire_sh_t *sh,
    ngx_campfire_job_t *job)
{
    ngx_queue_t            *q;
    ngx_campfire_effect_t  *e;

    for (q = ngx_queue_head(&job->effects);
         q != ngx_queue_sentinel(&job->effects);
         q = ngx_queue_next(q))
    {
        e = ngx_queue_data(q, ngx_campfire_effect_t, queue);

        switch (e->kind) {

        case NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED:
        case NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED:
        case NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED:
        case NGX_CAMPFIRE_EFFECT_BOOST_CREATED:
        case NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED:
            (void) ngx_atomic_fetch_add(&ngx_campfire_shm_room(sh, e->room),
                                        1);
            break;

        case NGX_CAMPFIRE_EFFECT_INVOLVEMENT:
        case NGX_CAMPFIRE_EFFECT_MEMBER_ADDED:
        case NGX_CAMPFIRE_EFFECT_READ:
        case NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED:
        case NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED:
            (void) ngx_atomic_fetch_add(&ngx_campfire_shm_user(sh, e->user),
                                        1);
            break;

        default:

            /* rooms, names and the account stand in everybody's pages */
            (void) ngx_atomic_fetch_add(&sh->global, 1);
        }
    }
}


/* An answer that cannot be made stays empty; its `done` knows what to do. */
static void
ngx_campfire_db_writer_answers(ngx_campfire_tx_t *tx, ngx_queue_t *jobs)
{
    ngx_queue_t         *q;
    ngx_campfire_buf_t   out;
    ngx_campfire_job_t  *job;

    for (q = ngx_queue_head(jobs);
         q != ngx_queue_sentinel(jobs);
         q = ngx_queue_next(q))
    {
        job = ngx_queue_data(q, ngx_campfire_job_t, queue);

        if (job->rc != NGX_OK || job->answer == NULL) {
            continue;
        }

        tx->job = job;
        tx->pool = job->pool;

        ngx_campfire_base_buf_init(&out, job->pool, 4096);

        if (job->answer(tx, job->args, &out) != NGX_OK
            || ngx_campfire_base_buf_done(&out, &job->body) != NGX_OK)
        {
            ngx_str_null(&job->body);
            ngx_log_error(NGX_LOG_ERR, tx->log, 0,
                          "campfire: a change to \"%V\" was made, but its "
                          "answer could not be", &tx->instance->database);
        }
    }
}


/* One worker at a time; both passes are PASSIVE and wait for no reader. */
static void
ngx_campfire_db_writer_checkpoint(ngx_campfire_instance_t *in)
{
    ngx_uint_t  left, died;

    if (!ngx_atomic_cmp_set(&in->sh->checkpoint_wanted, 0, ngx_pid)) {
        return;
    }

    if (ngx_campfire_db_checkpoint(in->db->write, &left) == NGX_OK
        && ngx_campfire_shm_lock(in->sh, ngx_campfire_db_writer_wait, &died)
           == NGX_OK)
    {
        (void) ngx_campfire_db_checkpoint(in->db->write, &left);
        ngx_campfire_shm_unlock(in->sh);

        ngx_campfire_shm_count(in->sh, NGX_CAMPFIRE_COUNTER_CHECKPOINTS);
    }

    in->sh->checkpoint_wanted = 0;
}


/*
 * With no writer of ours between the two looks at its lock, a header that is
 * not the published one is somebody else's commit.
 */
void
ngx_campfire_db_writer_watch(ngx_campfire_instance_t *in)
{
    u_char              header[NGX_CAMPFIRE_DB_WAL_HEADER];
    u_char              seen[NGX_CAMPFIRE_DB_WAL_HEADER];
    ngx_campfire_sh_t  *sh;
    ngx_atomic_uint_t   serial;

    sh = in->sh;
    serial = sh->writer_serial;

    if (sh->writer_pid) {
        return;
    }

    ngx_memory_barrier();

    if (ngx_campfire_db_wal_header(in->db->read, header) != NGX_OK) {
        return;
    }

    ngx_campfire_shm_seen_get(sh, seen);

    if (ngx_memcmp(header, seen, sizeof(header)) == 0
        || sh->writer_pid || sh->writer_serial != serial)
    {
        return;
    }

    /* never waits: whoever has the lock finds out by himself */

    if (ngx_campfire_shm_trylock(sh) != NGX_OK) {
        return;
    }

    ngx_campfire_shm_seen_get(sh, seen);

    if (ngx_campfire_db_wal_header(in->db->read, header) == NGX_OK
        && ngx_memcmp(header, seen, sizeof(header)) != 0)
    {
        (void) ngx_atomic_fetch_add(&sh->global, 1);
        ngx_campfire_shm_count(sh, NGX_CAMPFIRE_COUNTER_FOREIGN_COMMITS);
        ngx_campfire_shm_seen_set(sh, header);
    }

    ngx_campfire_shm_release(sh);
}
