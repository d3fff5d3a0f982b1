
/*
 * The writer: one transaction for many jobs, of which each stands or falls
 * alone; what readers are told of it, and of other programs' commits; and the
 * way from the event loop through the thread pool and back.
 */

#define _GNU_SOURCE

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <poll.h>
#include <pthread.h>
#include <sqlite3.h>
#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#include "models.h"
#include "db/ngx_campfire_db_conn.h"


#define BATCH  64
#define ROOM   3
#define USER   5


typedef struct {
    int64_t                 value;
    ngx_int_t               rc;          /* what the job says of itself */
    ngx_campfire_effect_e   effect;
} note_t;


extern ngx_module_t  ngx_thread_pool_module;


static ngx_cycle_t    cycle;
static ngx_log_t      silent;
static ngx_queue_t    jobs;
static ngx_uint_t     published;
static int64_t        published_ids[8];
static ngx_uint_t     afterwards;
static ngx_uint_t     hooked;
static ngx_int_t      hook_rc;
static ngx_uint_t     done;
static int64_t        done_last;
static ngx_uint_t     done_busy;
static sqlite3       *foreign;

/* the loop's end of the thread pool */
static int            bell[2];
static void         (*bell_handler)(ngx_event_t *ev);


static ngx_int_t
notify(ngx_event_handler_pt handler)
{
    bell_handler = handler;

    return write(bell[1], "!", 1) == 1 ? NGX_OK : NGX_ERROR;
}


static void
init_cycle(void)
{
    ngx_pid = ngx_getpid();

    memset(&cycle, 0, sizeof(cycle));
    cycle.log = &silent;
    cycle.pool = pool;
    ngx_cycle = &cycle;

    ngx_queue_init(&ngx_posted_events);
    (void) ngx_event_timer_init(&silent);
    ngx_time_init();
}


static int
setup(void **state)
{
    open_fixture("campfire-small");
    init_cycle();

    sql("CREATE TABLE notes (value integer UNIQUE)", "");
    assert_int_equal(ngx_campfire_db_writer_init(&instance, &silent), NGX_OK);

    assert_int_equal(sqlite3_open(file, &foreign), SQLITE_OK);

    ngx_queue_init(&jobs);
    memset(&ngx_campfire_db_writer_hooks, 0,
           sizeof(ngx_campfire_db_writer_hooks));
    ngx_campfire_db_writer_wait = 5000;
    published = afterwards = hooked = done = done_busy = 0;
    done_last = 0;
    hook_rc = NGX_OK;

    return 0;
}


static void
free_jobs(void)
{
    ngx_queue_t  *q;

    while (!ngx_queue_empty(&jobs)) {
        q = ngx_queue_head(&jobs);
        ngx_queue_remove(q);
        ngx_campfire_db_writer_free(ngx_queue_data(q, ngx_campfire_job_t,
                                                   queue));
    }
}


static int
clean(void **state)
{
    free_jobs();
    sqlite3_close(foreign);
    close_fixture();

    return 0;
}


static void
elsewhere(const char *text)
{
    assert_int_equal(sqlite3_exec(foreign, text, NULL, NULL, NULL),
                     SQLITE_OK);
}


static ngx_int_t
write_note(ngx_campfire_tx_t *t, void *args)
{
    note_t                 *note = args;
    ngx_int_t               rc;
    ngx_campfire_effect_t  *e;

    rc = ngx_campfire_db_exec(t->conn, "INSERT INTO notes VALUES (?1)", "i",
                              note->value);
    if (rc != NGX_OK) {
        return rc;
    }

    e = ngx_campfire_db_writer_effect(t, note->effect);
    e->id = note->value;
    e->room = ROOM;
    e->user = USER;

    t->job->id = note->value;

    return note->rc;
}


static ngx_int_t
answer_note(ngx_campfire_tx_t *t, void *args, ngx_campfire_buf_t *out)
{
    note_t     *note = args;
    ngx_str_t   text = ngx_string("noted");

    if (note->value == 9999) {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_append(out, text.data, text.len);

    return NGX_OK;
}


static ngx_campfire_job_t *
note_job(int64_t value, ngx_int_t rc)
{
    note_t              *note;
    ngx_campfire_job_t  *j;

    j = ngx_campfire_db_writer_job(&instance);
    assert_non_null(j);
    assert_int_equal(j->rc, NGX_ERROR);

    note = ngx_pcalloc(j->pool, sizeof(note_t));
    note->value = value;
    note->rc = rc;
    note->effect = NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED;

    j->write = write_note;
    j->answer = answer_note;
    j->args = note;

    return j;
}


static ngx_campfire_job_t *
queue_note(int64_t value, ngx_int_t rc)
{
    ngx_campfire_job_t  *j;

    j = note_job(value, rc);
    ngx_queue_insert_tail(&jobs, &j->queue);

    return j;
}


static ngx_int_t
run_jobs(void)
{
    ngx_int_t    rc;
    ngx_pool_t  *p;

    p = ngx_create_pool(4096, &silent);
    rc = ngx_campfire_db_writer_run(&instance, &jobs, p, &silent);
    ngx_destroy_pool(p);

    return rc;
}


static void
publish(ngx_campfire_tx_t *t)
{
    /* it is committed: another connection sees it */
    assert_int_equal(num("SELECT count(*) FROM notes WHERE value = ?1", "i",
                         t->job->id), 1);
    assert_int_not_equal(instance.sh->writer_pid, 0);

    if (published < 8) {
        published_ids[published] = t->job->id;
    }
    published++;
}


static void
after(ngx_campfire_instance_t *in)
{
    assert_int_equal(in->sh->writer_pid, 0);
    afterwards++;
}


#define counter(name)                                                         \
    ((int64_t) instance.sh->counters[NGX_CAMPFIRE_COUNTER_##name])


static void
test_savepoints(void **state)
{
    ngx_campfire_job_t  *good, *missing, *twice, *refused, *silly, *last;

    ngx_campfire_db_writer_hooks.publish = publish;
    ngx_campfire_db_writer_hooks.after = after;

    good = queue_note(1, NGX_OK);
    missing = queue_note(2, NGX_DECLINED);
    twice = queue_note(1, NGX_OK);
    refused = queue_note(3, 422);
    silly = queue_note(9999, NGX_OK);
    last = queue_note(4, NGX_OK);

    assert_int_equal(run_jobs(), NGX_OK);

    assert_int_equal(good->rc, NGX_OK);
    assert_int_equal(missing->rc, NGX_DECLINED);
    assert_int_equal(twice->rc, NGX_DECLINED);      /* UNIQUE */
    assert_int_equal(refused->rc, 422);
    assert_int_equal(silly->rc, NGX_OK);
    assert_int_equal(last->rc, NGX_OK);

    assert_int_equal(num("SELECT count(*) FROM notes", ""), 3);
    assert_int_equal(num("SELECT sum(value) FROM notes", ""), 1 + 9999 + 4);

    /* what was undone tells nobody */

    assert_int_equal(ngx_queue_empty(&missing->effects), 1);
    assert_int_equal(ngx_queue_empty(&refused->effects), 1);
    assert_int_equal(published, 3);
    assert_int_equal(published_ids[0], 1);
    assert_int_equal(published_ids[1], 9999);
    assert_int_equal(published_ids[2], 4);
    assert_int_equal(afterwards, 1);

    /* an answer that fails is no failed change */

    is(good->body, "noted");
    is(last->body, "noted");
    assert_int_equal(silly->body.len, 0);
    assert_int_equal(refused->body.len, 0);

    assert_int_equal(counter(BATCHES), 1);
    assert_int_equal(counter(JOBS), 3);
    assert_int_equal(counter(JOBS_FAILED), 3);
    assert_int_equal(instance.sh->writer_pid, 0);
}


static void
test_nothing_kept(void **state)
{
    u_char               before[48], then[48];
    ngx_campfire_job_t  *j;

    assert_int_equal(ngx_campfire_db_wal_header(conn, before), NGX_OK);

    j = queue_note(1, 403);
    assert_int_equal(run_jobs(), NGX_DECLINED);
    assert_int_equal(j->rc, 403);

    assert_int_equal(ngx_campfire_db_wal_header(conn, then), NGX_OK);
    assert_memory_equal(before, then, sizeof(before));
    assert_int_equal(counter(BATCHES), 0);
    assert_int_equal(instance.sh->global, 0);
    assert_int_not_equal(sqlite3_get_autocommit(wconn->db), 0);

    /* and the next batch is not disturbed */

    (void) queue_note(2, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(num("SELECT sum(value) FROM notes", ""), 2);
}


static ngx_int_t
before_commit(ngx_campfire_tx_t *t, ngx_queue_t *all)
{
    ngx_queue_t         *q;
    ngx_campfire_job_t  *j;

    for (q = ngx_queue_head(all); q != ngx_queue_sentinel(all);
         q = ngx_queue_next(q))
    {
        j = ngx_queue_data(q, ngx_campfire_job_t, queue);
        hooked += !ngx_queue_empty(&j->effects);
    }

    assert_int_equal(ngx_campfire_db_exec(t->conn,
                         "INSERT INTO notes VALUES (1000)", ""), NGX_OK);

    return hook_rc;
}


static void
test_before_commit(void **state)
{
    ngx_campfire_job_t  *a, *b;

    ngx_campfire_db_writer_hooks.before_commit = before_commit;
    ngx_campfire_db_writer_hooks.publish = publish;

    (void) queue_note(1, NGX_OK);
    (void) queue_note(2, NGX_ERROR);
    (void) queue_note(3, NGX_OK);

    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(hooked, 2);
    assert_int_equal(num("SELECT sum(value) FROM notes", ""), 1004);

    /* it fails: so does the batch, but each keeps its own reason */

    sql("DELETE FROM notes", "");
    free_jobs();

    hook_rc = NGX_ERROR;
    published = 0;
    a = queue_note(5, NGX_OK);
    b = queue_note(6, NGX_DECLINED);

    assert_int_equal(run_jobs(), NGX_ERROR);
    assert_int_equal(a->rc, NGX_ERROR);
    assert_int_equal(b->rc, NGX_DECLINED);
    assert_int_equal(num("SELECT count(*) FROM notes", ""), 0);
    assert_int_equal(published, 0);
    assert_int_equal(ngx_queue_empty(&a->effects), 1);
    assert_int_equal(counter(BATCHES), 1);
}


static pthread_barrier_t  barrier;


/* Another worker, as far as the lock can tell. */
static void *
holder(void *data)
{
    ngx_uint_t  died;

    (void) ngx_campfire_shm_lock(instance.sh, 0, &died);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    ngx_campfire_shm_unlock(instance.sh);

    return NULL;
}


static int64_t
milliseconds(void)
{
    struct timespec  ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);

    return (int64_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}


static void
test_busy_worker(void **state)
{
    int64_t              start;
    pthread_t            thread;
    ngx_campfire_job_t  *j;

    j = queue_note(1, NGX_OK);
    ngx_campfire_db_writer_wait = 60;

    pthread_barrier_init(&barrier, NULL, 2);
    assert_int_equal(pthread_create(&thread, NULL, holder, NULL), 0);
    pthread_barrier_wait(&barrier);

    start = milliseconds();
    assert_int_equal(run_jobs(), NGX_BUSY);
    assert_in_range(milliseconds() - start, 50, 2000);
    assert_int_equal(j->rc, NGX_BUSY);
    assert_int_equal(num("SELECT count(*) FROM notes", ""), 0);

    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    pthread_barrier_destroy(&barrier);

    j->rc = NGX_ERROR;
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(j->rc, NGX_OK);
}


static void
test_busy_program(void **state)
{
    ngx_campfire_job_t  *j;

    j = queue_note(1, NGX_OK);
    (void) sqlite3_busy_timeout(wconn->db, 60);

    elsewhere("BEGIN IMMEDIATE");
    assert_int_equal(run_jobs(), NGX_BUSY);
    assert_int_equal(j->rc, NGX_BUSY);
    assert_int_equal(instance.sh->writer_pid, 0);

    /* reads go on */

    assert_int_equal(num("SELECT count(*) FROM notes", ""), 0);

    elsewhere("COMMIT");
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(j->rc, NGX_OK);
}


static void
test_generations(void **state)
{
    int64_t              global, room, user;
    ngx_uint_t           i;
    ngx_campfire_sh_t   *sh;
    ngx_campfire_job_t  *j;

    enum { IN_ROOM = 1, OF_USER = 2, ALL = 4 };

    static const int  want[] = {
        [NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED] = IN_ROOM,
        [NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED] = IN_ROOM,
        [NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED] = IN_ROOM,
        [NGX_CAMPFIRE_EFFECT_BOOST_CREATED] = IN_ROOM,
        [NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED] = IN_ROOM,
        [NGX_CAMPFIRE_EFFECT_ROOM_CREATED] = ALL,
        [NGX_CAMPFIRE_EFFECT_ROOM_UPDATED] = ALL,
        [NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED] = ALL,
        [NGX_CAMPFIRE_EFFECT_ROOM_OPENED] = ALL,
        [NGX_CAMPFIRE_EFFECT_INVOLVEMENT] = OF_USER,
        [NGX_CAMPFIRE_EFFECT_MEMBER_ADDED] = OF_USER,
        [NGX_CAMPFIRE_EFFECT_READ] = OF_USER,
        [NGX_CAMPFIRE_EFFECT_USER_CHANGED] = ALL,
        [NGX_CAMPFIRE_EFFECT_ACCOUNT_CHANGED] = ALL,
        [NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED] = OF_USER,
        [NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED] = OF_USER
    };

    sh = instance.sh;

    for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        global = (int64_t) sh->global;
        room = (int64_t) ngx_campfire_shm_room(sh, ROOM);
        user = (int64_t) ngx_campfire_shm_user(sh, USER);

        j = queue_note((int64_t) i, NGX_OK);
        ((note_t *) j->args)->effect = (ngx_campfire_effect_e) i;
        assert_int_equal(run_jobs(), NGX_OK);
        ngx_queue_remove(&j->queue);
        ngx_campfire_db_writer_free(j);

        assert_int_equal((int64_t) sh->global - global,
                         (want[i] & ALL) ? 1 : 0);
        assert_int_equal((int64_t) ngx_campfire_shm_room(sh, ROOM) - room,
                         (want[i] & IN_ROOM) ? 1 : 0);
        assert_int_equal((int64_t) ngx_campfire_shm_user(sh, USER) - user,
                         (want[i] & OF_USER) ? 1 : 0);
        assert_int_equal(ngx_campfire_shm_room(sh, ROOM + 1), 0);
        assert_int_equal(ngx_campfire_shm_user(sh, USER + 1), 0);
    }
}


static void
test_watch(void **state)
{
    u_char              header[48], seen[48];
    ngx_campfire_sh_t  *sh;

    sh = instance.sh;

    /* ours are no news */

    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 0);

    (void) queue_note(1, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 0);

    assert_int_equal(ngx_campfire_db_wal_header(conn, header), NGX_OK);
    ngx_campfire_shm_seen_get(sh, seen);
    assert_memory_equal(header, seen, sizeof(seen));

    /* another program's are, once each */

    elsewhere("INSERT INTO notes VALUES (100)");
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 1);
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 1);
    assert_int_equal(counter(FOREIGN_COMMITS), 1);

    /* a rollback is not */

    elsewhere("BEGIN IMMEDIATE; INSERT INTO notes VALUES (101); ROLLBACK");
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 1);

    /* nor is a checkpoint, but what comes behind it */

    elsewhere("PRAGMA wal_checkpoint(PASSIVE)");
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 1);

    elsewhere("INSERT INTO notes VALUES (102)");
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 2);

    /* the lock is free again */

    assert_int_equal(sh->writer_pid, 0);
    assert_int_equal(ngx_campfire_shm_trylock(sh), NGX_OK);

    /* and while one of ours has it, that is his business */

    elsewhere("INSERT INTO notes VALUES (103)");
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 2);
    ngx_campfire_shm_release(sh);
    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(sh->global, 3);
}


/* What nobody read in between is seen by the next who writes. */
static void
test_foreign_before(void **state)
{
    elsewhere("INSERT INTO notes VALUES (100)");

    (void) queue_note(1, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(instance.sh->global, 1);
    assert_int_equal(counter(FOREIGN_COMMITS), 1);

    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(instance.sh->global, 1);
}


/* The header is published before anybody is told of the change. */
static void
publish_header(ngx_campfire_tx_t *t)
{
    u_char  header[48], seen[48];

    assert_int_equal(ngx_campfire_db_wal_header(conn, header), NGX_OK);
    ngx_campfire_shm_seen_get(instance.sh, seen);
    assert_memory_equal(header, seen, sizeof(seen));
    assert_int_equal(ngx_campfire_shm_room(instance.sh, ROOM), 1);
    published++;

    /* and behind our back: not before the next look */
    elsewhere("INSERT INTO notes VALUES (500)");
}


static void
test_published(void **state)
{
    ngx_campfire_db_writer_hooks.publish = publish_header;

    (void) queue_note(1, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(published, 1);
    assert_int_equal(instance.sh->global, 0);

    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(instance.sh->global, 1);
}


static ngx_int_t
write_much(ngx_campfire_tx_t *t, void *args)
{
    return ngx_campfire_db_exec(t->conn,
               "INSERT INTO searches (query, user_id, created_at, updated_at)"
               " VALUES (hex(zeroblob(9000000)), 1, '2026-03-02 15:00:00',"
               " '2026-03-02 15:00:00')", "");
}


/* From 4,000 frames on the log is copied, and begun anew. */
static void
test_checkpoint(void **state)
{
    u_char               header[48];
    ngx_campfire_job_t  *j;

    j = queue_note(1, NGX_OK);
    j->write = write_much;
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(j->rc, NGX_OK);
    assert_int_equal(counter(CHECKPOINTS), 1);
    assert_int_equal(instance.sh->checkpoint_wanted, 0);

    assert_int_equal(ngx_campfire_db_wal_header(conn, header), NGX_OK);
    assert_true(ngx_campfire_db_wal_frames(header) >= 4000);

    ngx_queue_remove(&j->queue);
    ngx_campfire_db_writer_free(j);

    (void) queue_note(2, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(ngx_campfire_db_wal_header(conn, header), NGX_OK);
    assert_true(ngx_campfire_db_wal_frames(header) < 100);
    assert_int_equal(counter(CHECKPOINTS), 1);

    ngx_campfire_db_writer_watch(&instance);
    assert_int_equal(instance.sh->global, 0);
}


static void *
lock_and_go(void *data)
{
    ngx_uint_t  died;

    (void) ngx_campfire_shm_lock(instance.sh, 0, &died);

    return NULL;
}


/* He may have committed without a word to anybody. */
static void
test_killed(void **state)
{
    pthread_t  thread;

    assert_int_equal(pthread_create(&thread, NULL, lock_and_go, NULL), 0);
    pthread_join(thread, NULL);

    (void) queue_note(1, NGX_OK);
    assert_int_equal(run_jobs(), NGX_OK);
    assert_int_equal(instance.sh->global, 1);
}


static void
note_done(ngx_campfire_job_t *j)
{
    /* in the order they were posted */
    if (j->rc == NGX_OK) {
        assert_int_equal(j->id, done_last + 1);
        is(j->body, "noted");
        done_last = j->id;
    }

    done_busy += (j->rc == NGX_BUSY);
    done++;

    ngx_campfire_db_writer_free(j);
}


static void
post_note(int64_t value)
{
    ngx_campfire_job_t  *j;

    j = note_job(value, NGX_OK);
    j->done = note_done;
    assert_int_equal(ngx_campfire_db_writer_post(j), NGX_OK);
}


/* Turns of the event loop until n jobs are done. */
static void
loop_until(ngx_uint_t n)
{
    char           c;
    ngx_event_t    ev;
    struct pollfd  fds;

    memset(&ev, 0, sizeof(ev));
    ev.log = &silent;
    fds.fd = bell[0];
    fds.events = POLLIN;

    for ( ;; ) {
        ngx_event_process_posted(&cycle, &ngx_posted_events);

        if (done >= n) {
            return;
        }

        assert_int_equal(poll(&fds, 1, 20000), 1);
        assert_int_equal(read(bell[0], &c, 1), 1);
        bell_handler(&ev);
    }
}


static void
start_threads(void)
{
    void                *conf;
    ngx_conf_t           cf;
    ngx_conf_file_t      conf_file;
    ngx_core_module_t   *ctx;

    static ngx_uint_t    numbered;

    if (!numbered) {
        assert_int_equal(ngx_preinit_modules(), NGX_OK);
        numbered = 1;
    }

    assert_int_equal(pipe(bell), 0);
    ngx_event_actions.notify = notify;

    memset(&cf, 0, sizeof(cf));
    memset(&conf_file, 0, sizeof(conf_file));
    cf.cycle = &cycle;
    cf.pool = pool;
    cf.log = &silent;
    cf.conf_file = &conf_file;

    cycle.conf_ctx = ngx_pcalloc(pool, ngx_max_module * sizeof(void *));
    ctx = ngx_thread_pool_module.ctx;
    conf = ctx->create_conf(&cycle);
    cycle.conf_ctx[ngx_thread_pool_module.index] = conf;

    instance.threads = ngx_thread_pool_add(&cf, NULL);
    assert_non_null(instance.threads);
    assert_ptr_equal(ctx->init_conf(&cycle, conf), NGX_CONF_OK);
    assert_int_equal(ngx_thread_pool_module.init_process(&cycle), NGX_OK);
}


static void
stop_threads(void)
{
    ngx_thread_pool_module.exit_process(&cycle);
    close(bell[0]);
    close(bell[1]);
}


static void
test_loop(void **state)
{
    int64_t  i;

    start_threads();

    /* what is posted in one turn is one batch, 64 at most */

    for (i = 1; i <= BATCH + 36; i++) {
        post_note(i);
    }
    assert_int_equal(done, 0);

    loop_until(BATCH + 36);

    assert_int_equal(counter(BATCHES), 2);
    assert_int_equal(counter(JOBS), BATCH + 36);
    assert_int_equal(num("SELECT count(*) FROM notes", ""), BATCH + 36);

    /* one alone is not kept waiting */

    post_note(i);
    loop_until(BATCH + 37);
    assert_int_equal(counter(BATCHES), 3);

    stop_threads();
}


static void
test_queue_full(void **state)
{
    int64_t              i;
    ngx_campfire_job_t  *j;

    start_threads();

    for (i = 1; i <= NGX_CAMPFIRE_DB_WRITER_QUEUE; i++) {
        post_note(i);
    }

    /* refused and freed, and nobody hears of it later */

    j = note_job(i, NGX_OK);
    j->done = note_done;
    assert_int_equal(ngx_campfire_db_writer_post(j), NGX_BUSY);
    assert_int_equal(counter(JOBS_BUSY), 1);

    loop_until(NGX_CAMPFIRE_DB_WRITER_QUEUE);

    assert_int_equal(done, NGX_CAMPFIRE_DB_WRITER_QUEUE);
    assert_int_equal(counter(BATCHES), NGX_CAMPFIRE_DB_WRITER_QUEUE / BATCH);
    assert_int_equal(num("SELECT count(*) FROM notes", ""),
                     NGX_CAMPFIRE_DB_WRITER_QUEUE);

    post_note(i);
    loop_until(NGX_CAMPFIRE_DB_WRITER_QUEUE + 1);

    stop_threads();
}


/* A locked database answers all who wait, and the writer lives on. */
static void
test_loop_busy(void **state)
{
    int64_t  i;

    start_threads();
    (void) sqlite3_busy_timeout(wconn->db, 60);

    elsewhere("BEGIN IMMEDIATE");

    for (i = 1; i <= 5; i++) {
        post_note(i);
    }

    loop_until(5);
    assert_int_equal(done_busy, 5);

    elsewhere("ROLLBACK");
    post_note(1);
    loop_until(6);
    assert_int_equal(done_busy, 5);
    assert_int_equal(done_last, 1);

    stop_threads();
}


int
main(void)
{
    const struct CMUnitTest  tests[] = {
        cmocka_unit_test_setup_teardown(test_savepoints, setup, clean),
        cmocka_unit_test_setup_teardown(test_nothing_kept, setup, clean),
        cmocka_unit_test_setup_teardown(test_before_commit, setup, clean),
        cmocka_unit_test_setup_teardown(test_busy_worker, setup, clean),
        cmocka_unit_test_setup_teardown(test_busy_program, setup, clean),
        cmocka_unit_test_setup_teardown(test_generations, setup, clean),
        cmocka_unit_test_setup_teardown(test_watch, setup, clean),
        cmocka_unit_test_setup_teardown(test_foreign_before, setup, clean),
        cmocka_unit_test_setup_teardown(test_published, setup, clean),
        cmocka_unit_test_setup_teardown(test_checkpoint, setup, clean),
        cmocka_unit_test_setup_teardown(test_killed, setup, clean),
        cmocka_unit_test_setup_teardown(test_loop, setup, clean),
        cmocka_unit_test_setup_teardown(test_queue_full, setup, clean),
        cmocka_unit_test_setup_teardown(test_loop_busy, setup, clean)
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);

    return cmocka_run_group_tests(tests, load_vectors, free_vectors);
}
