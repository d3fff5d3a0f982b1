
/*
 * The cable of a process: wake-ups and delivery, pings, and how it leaves.
 *
 * A wake-up reads the ring of every instance, queues frames to the sockets
 * that want them, and writes to each of those once.  Pings come from a wheel
 * of 30 slots, one each 100 ms, so that sockets are pinged every 3 s and
 * never all at once.  A process that quits tells its sockets to reconnect,
 * spread over some seconds, and delivers until then.
 */

#include "cable/ngx_campfire_cable.h"
#include "models/ngx_campfire_model_membership.h"


#define NGX_CAMPFIRE_CABLE_TICK      100     /* ms, of the wheel */
#define NGX_CAMPFIRE_CABLE_UPKEEP    1000    /* ms */
#define NGX_CAMPFIRE_CABLE_STEP      100     /* ms, while leaving */
#define NGX_CAMPFIRE_CABLE_STEPS     50      /* 5 s in all */
#define NGX_CAMPFIRE_CABLE_RECORDS   512     /* of the ring in one go */


/* Of this process: wheel, queue of writes, timers. */
static struct {
    ngx_campfire_instances_t   *instances;
    ngx_queue_t                 wheel[NGX_CAMPFIRE_CABLE_WHEEL];
    ngx_uint_t                  hand;
    ngx_queue_t                 flush;
    ngx_event_t                 tick;
    ngx_event_t                 upkeep;
    ngx_event_t                 drain;
    ngx_event_t                 leave;
    ngx_connection_t            none;        /* for debug logs of timers */
    ngx_uint_t                  steps;
    unsigned                    leaving:1;
    unsigned                    ready:1;
} ngx_campfire_cable;


static ngx_int_t ngx_campfire_cable_create(ngx_campfire_instance_t *in,
    ngx_log_t *log);
static void ngx_campfire_cable_woken(ngx_log_t *log);
static void ngx_campfire_cable_drain_handler(ngx_event_t *ev);
static ngx_uint_t ngx_campfire_cable_drain(ngx_campfire_cable_t *cable);
static void ngx_campfire_cable_record(ngx_campfire_cable_t *cable,
    ngx_campfire_ring_record_t *record, ngx_pool_t *pool);
static void ngx_campfire_cable_unreads(ngx_campfire_cable_t *cable,
    ngx_campfire_ring_record_t *record, ngx_pool_t *pool);
static void ngx_campfire_cable_revoke(ngx_campfire_cable_t *cable,
    int64_t user_id, int64_t session_id, ngx_uint_t reconnect);
static void ngx_campfire_cable_flush_all(void);
static void ngx_campfire_cable_tick(ngx_event_t *ev);
static void ngx_campfire_cable_upkeep(ngx_event_t *ev);
static void ngx_campfire_cable_leave_step(ngx_event_t *ev);
static void ngx_campfire_cable_gone(ngx_campfire_cable_t *cable,
    ngx_log_t *log);


ngx_int_t
ngx_campfire_cable_init_process(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances)
{
    ngx_uint_t  i;

    ngx_campfire_db_writer_hooks.before_commit =
                                   ngx_campfire_model_membership_before_commit;
    ngx_campfire_db_writer_hooks.publish = ngx_campfire_cable_publish;

    ngx_memzero(&ngx_campfire_cable, sizeof(ngx_campfire_cable));

    ngx_campfire_cable.instances = instances;

    for (i = 0; i < NGX_CAMPFIRE_CABLE_WHEEL; i++) {
        ngx_queue_init(&ngx_campfire_cable.wheel[i]);
    }

    ngx_queue_init(&ngx_campfire_cable.flush);

    if (ngx_campfire_shm_slot_claim(cycle, instances,
                                    ngx_campfire_cable_woken)
        != NGX_OK)
    {
        /* pages are served all the same, sockets get 503 */
        return NGX_OK;
    }

    for (i = 0; i < instances->nelts; i++) {
        if (ngx_campfire_cable_create(instances->elts[i], cycle->log)
            != NGX_OK)
        {
            return NGX_OK;
        }
    }

    ngx_campfire_cable.none.fd = (ngx_socket_t) -1;

    ngx_campfire_cable.tick.data = &ngx_campfire_cable.none;
    ngx_campfire_cable.upkeep.data = &ngx_campfire_cable.none;
    ngx_campfire_cable.drain.data = &ngx_campfire_cable.none;
    ngx_campfire_cable.leave.data = &ngx_campfire_cable.none;

    ngx_campfire_cable.tick.handler = ngx_campfire_cable_tick;
    ngx_campfire_cable.tick.log = cycle->log;
    ngx_campfire_cable.tick.cancelable = 1;

    ngx_campfire_cable.upkeep.handler = ngx_campfire_cable_upkeep;
    ngx_campfire_cable.upkeep.log = cycle->log;
    ngx_campfire_cable.upkeep.cancelable = 1;

    ngx_campfire_cable.drain.handler = ngx_campfire_cable_drain_handler;
    ngx_campfire_cable.drain.log = cycle->log;

    ngx_campfire_cable.leave.handler = ngx_campfire_cable_leave_step;
    ngx_campfire_cable.leave.log = cycle->log;

    ngx_add_timer(&ngx_campfire_cable.tick, NGX_CAMPFIRE_CABLE_TICK);
    ngx_add_timer(&ngx_campfire_cable.upkeep, NGX_CAMPFIRE_CABLE_UPKEEP);

    ngx_campfire_cable.ready = 1;

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_cable_create(ngx_campfire_instance_t *in, ngx_log_t *log)
{
    ngx_campfire_cable_t  *cable;

    cable = ngx_pcalloc(ngx_cycle->pool, sizeof(ngx_campfire_cable_t));
    if (cable == NULL) {
        return NGX_ERROR;
    }

    cable->instance = in;
    cable->log = log;
    cable->cursor = in->sh->slots[ngx_campfire_shm_slot()].cursor;

    ngx_queue_init(&cable->sockets);
    ngx_rbtree_init(&cable->streams, &cable->sentinel,
                    ngx_str_rbtree_insert_value);

    in->cable = cable;

    return NGX_OK;
}


static void
ngx_campfire_cable_woken(ngx_log_t *log)
{
    ngx_campfire_cable_drain_handler(&ngx_campfire_cable.drain);
}


void
ngx_campfire_cable_wake(void)
{
    if (!ngx_campfire_cable.drain.posted) {
        ngx_post_event((&ngx_campfire_cable.drain), &ngx_posted_events);
    }
}


static void
ngx_campfire_cable_drain_handler(ngx_event_t *ev)
{
    ngx_uint_t             i, more;
    ngx_campfire_cable_t  *cable;

    more = 0;

    for (i = 0; i < ngx_campfire_cable.instances->nelts; i++) {
        cable = ngx_campfire_cable.instances->elts[i]->cable;

        if (cable) {
            more |= ngx_campfire_cable_drain(cable);
            ngx_campfire_cable_channel_absent(cable);
        }
    }

    ngx_campfire_cable_flush_all();

    if (more) {
        ngx_campfire_cable_wake();
    }
}


/* 1: there is more than one turn of the loop should take. */
static ngx_uint_t
ngx_campfire_cable_drain(ngx_campfire_cable_t *cable)
{
    ngx_int_t                    rc;
    ngx_uint_t                   n;
    ngx_pool_t                  *pool;
    ngx_queue_t                 *q;
    ngx_campfire_sh_t           *sh;
    ngx_campfire_ring_record_t   record;

    sh = cable->instance->sh;

    if (cable->cursor == sh->ring_head) {
        return 0;
    }

    pool = ngx_create_pool(16384, cable->log);
    if (pool == NULL) {
        return 1;
    }

    rc = NGX_OK;

    for (n = 0; n < NGX_CAMPFIRE_CABLE_RECORDS; n++) {

        rc = ngx_campfire_shm_ring_read(sh, &cable->cursor, &record,
                                        &cable->buf, &cable->size,
                                        cable->log);
        if (rc != NGX_OK) {
            break;
        }

        ngx_campfire_cable_record(cable, &record, pool);
        ngx_reset_pool(pool);
    }

    sh->slots[ngx_campfire_shm_slot()].cursor = cable->cursor;

    ngx_destroy_pool(pool);

    if (rc == NGX_DECLINED || rc == NGX_ERROR) {

        /* what was lost nobody can tell: all load anew */

        ngx_campfire_shm_count(sh, NGX_CAMPFIRE_COUNTER_RING_OVERRUNS);

        ngx_log_error(NGX_LOG_WARN, cable->log, 0,
                      "campfire: this worker fell behind the broadcasts of "
                      "\"%V\", its %ui sockets reconnect",
                      &cable->instance->storage, cable->nsockets);

        for (q = ngx_queue_head(&cable->sockets);
             q != ngx_queue_sentinel(&cable->sockets);
             q = ngx_queue_next(q))
        {
            ngx_campfire_cable_socket_disconnect(
                ngx_queue_data(q, ngx_campfire_cable_socket_t, queue), NULL,
                1, NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        }

        cable->cursor = sh->ring_head;
        sh->slots[ngx_campfire_shm_slot()].cursor = cable->cursor;

        return 0;
    }

    return rc == NGX_OK;
}


static void
ngx_campfire_cable_record(ngx_campfire_cable_t *cable,
    ngx_campfire_ring_record_t *record, ngx_pool_t *pool)
{
    int64_t  ids[2];

    switch (record->kind) {

    case NGX_CAMPFIRE_RING_STREAM:
        ngx_campfire_cable_registry_deliver(cable, &record->stream,
                                            &record->payload, pool);
        return;

    case NGX_CAMPFIRE_RING_UNREAD:
        ngx_campfire_cable_unreads(cable, record, pool);
        return;

    case NGX_CAMPFIRE_RING_DISCONNECT_USER:

        if (record->payload.len == sizeof(ids)) {
            ngx_memcpy(ids, record->payload.data, sizeof(ids));
            ngx_campfire_cable_revoke(cable, ids[0], 0, ids[1] != 0);
        }

        return;

    case NGX_CAMPFIRE_RING_DISCONNECT_SESSION:

        if (record->payload.len == sizeof(int64_t)) {
            ngx_memcpy(ids, record->payload.data, sizeof(int64_t));
            ngx_campfire_cable_revoke(cable, 0, ids[0], 1);
        }

        return;
    }
}


/* One record per post, whoever its readers are. */
static void
ngx_campfire_cable_unreads(ngx_campfire_cable_t *cable,
    ngx_campfire_ring_record_t *record, ngx_pool_t *pool)
{
    u_char      *p, stream[sizeof("unreads:") + NGX_INT64_LEN];
    u_char       message[sizeof("{\"roomId\":}") + NGX_INT64_LEN];
    int64_t      room_id, n, user_id;
    ngx_str_t    name, json;

    if (record->payload.len < 2 * sizeof(int64_t)) {
        return;
    }

    p = record->payload.data;

    ngx_memcpy(&room_id, p, sizeof(int64_t));
    ngx_memcpy(&n, p + sizeof(int64_t), sizeof(int64_t));
    p += 2 * sizeof(int64_t);

    if (n < 0 || record->payload.len != (size_t) (n + 2) * sizeof(int64_t)) {
        return;
    }

    json.data = message;
    json.len = ngx_sprintf(message, "{\"roomId\":%L}", room_id) - message;

    name.data = stream;

    while (n--) {
        ngx_memcpy(&user_id, p, sizeof(int64_t));
        p += sizeof(int64_t);

        name.len = ngx_sprintf(stream, "unreads:%L", user_id) - stream;

        ngx_campfire_cable_registry_deliver(cable, &name, &json, pool);
    }
}


static void
ngx_campfire_cable_revoke(ngx_campfire_cable_t *cable, int64_t user_id,
    int64_t session_id, ngx_uint_t reconnect)
{
    ngx_queue_t                  *q;
    ngx_campfire_cable_socket_t  *s;

    for (q = ngx_queue_head(&cable->sockets);
         q != ngx_queue_sentinel(&cable->sockets);
         q = ngx_queue_next(q))
    {
        s = ngx_queue_data(q, ngx_campfire_cable_socket_t, queue);

        if ((user_id && s->user_id == user_id)
            || (session_id && s->session_id == session_id))
        {
            ngx_campfire_cable_socket_disconnect(s, "remote", reconnect,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_REVOKED);
        }
    }
}


void
ngx_campfire_cable_flush_later(ngx_campfire_cable_socket_t *s)
{
    if (s->flushing) {
        return;
    }

    s->flushing = 1;
    ngx_queue_insert_tail(&ngx_campfire_cable.flush, &s->flush);

    ngx_campfire_cable_wake();
}


static void
ngx_campfire_cable_flush_all(void)
{
    ngx_queue_t                  *q;
    ngx_campfire_cable_socket_t  *s;

    while (!ngx_queue_empty(&ngx_campfire_cable.flush)) {
        q = ngx_queue_head(&ngx_campfire_cable.flush);
        s = ngx_queue_data(q, ngx_campfire_cable_socket_t, flush);

        ngx_queue_remove(q);
        s->flushing = 0;

        ngx_campfire_cable_socket_flush(s);
    }
}


ngx_queue_t *
ngx_campfire_cable_wheel_slot(void)
{
    static ngx_uint_t  next;

    /* by turns, so that a storm of connects is spread as well */
    return &ngx_campfire_cable.wheel[next++ % NGX_CAMPFIRE_CABLE_WHEEL];
}


static void
ngx_campfire_cable_tick(ngx_event_t *ev)
{
    ngx_pool_t                   *pool;
    ngx_queue_t                  *q, *next, *slot;
    ngx_campfire_buf_t            out;
    ngx_campfire_cable_bytes_t   *bytes;
    ngx_campfire_cable_socket_t  *s;

    ngx_add_timer(ev, NGX_CAMPFIRE_CABLE_TICK);

    slot = &ngx_campfire_cable.wheel[ngx_campfire_cable.hand];
    ngx_campfire_cable.hand = (ngx_campfire_cable.hand + 1)
                              % NGX_CAMPFIRE_CABLE_WHEEL;

    if (ngx_queue_empty(slot)) {
        return;
    }

    pool = ngx_create_pool(1024, ev->log);
    if (pool == NULL) {
        return;
    }

    ngx_campfire_base_buf_init(&out, pool, 64);
    ngx_campfire_cable_protocol_ping(&out, ngx_time());
    bytes = ngx_campfire_cable_socket_text(&out, ev->log);

    ngx_destroy_pool(pool);

    if (bytes == NULL) {
        return;
    }

    for (q = ngx_queue_head(slot); q != ngx_queue_sentinel(slot); q = next) {
        next = ngx_queue_next(q);
        s = ngx_queue_data(q, ngx_campfire_cable_socket_t, wheel);

        /* what is on its way says as much as a ping */

        if (s->unsent == 0 && !s->closing) {
            ngx_campfire_cable_socket_send(s, bytes);
        }
    }

    ngx_campfire_cable_socket_release(bytes);
}


static void
ngx_campfire_cable_upkeep(ngx_event_t *ev)
{
    ngx_add_timer(ev, NGX_CAMPFIRE_CABLE_UPKEEP);

    (void) ngx_campfire_shm_slots_reclaim(ngx_campfire_cable.instances,
                                          ev->log);

    /* without subscribers nobody wakes us, and the ring goes on */
    ngx_campfire_cable_wake();
}


/*
 * nginx tells each idle connection apart that the process quits; the first
 * one starts the clock, which is not cancelable and so keeps us alive.
 */
void
ngx_campfire_cable_leave(void)
{
    if (ngx_campfire_cable.leaving) {
        return;
    }

    ngx_campfire_cable.leaving = 1;
    ngx_campfire_cable.steps = NGX_CAMPFIRE_CABLE_STEPS;

    ngx_add_timer(&ngx_campfire_cable.leave, NGX_CAMPFIRE_CABLE_STEP);
}


static void
ngx_campfire_cable_leave_step(ngx_event_t *ev)
{
    ngx_uint_t                    i, n, left;
    ngx_queue_t                  *q, *next;
    ngx_campfire_cable_t         *cable;
    ngx_campfire_cable_socket_t  *s;

    left = 0;

    for (i = 0; i < ngx_campfire_cable.instances->nelts; i++) {
        cable = ngx_campfire_cable.instances->elts[i]->cable;

        if (cable == NULL || cable->nsockets == 0) {
            continue;
        }

        n = cable->nsockets / ngx_campfire_cable.steps + 1;

        for (q = ngx_queue_head(&cable->sockets);
             q != ngx_queue_sentinel(&cable->sockets) && n;
             q = next)
        {
            next = ngx_queue_next(q);
            s = ngx_queue_data(q, ngx_campfire_cable_socket_t, queue);

            if (!s->closing) {
                ngx_campfire_cable_socket_disconnect(s, "server_restart", 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_RESTART);
                n--;
            }
        }

        left += cable->nsockets;
    }

    if (ngx_campfire_cable.steps > 1) {
        ngx_campfire_cable.steps--;
    }

    if (left) {
        ngx_add_timer(ev, NGX_CAMPFIRE_CABLE_STEP);
    }
}


/*
 * Whoever is still connected is told so, and his presence is taken back, in
 * this thread: the pool's threads are gone.
 */
void
ngx_campfire_cable_exit_process(ngx_cycle_t *cycle,
    ngx_campfire_instances_t *instances)
{
    ngx_uint_t  i;

    if (!ngx_campfire_cable.ready) {
        return;
    }

    for (i = 0; i < instances->nelts; i++) {
        if (instances->elts[i]->cable) {
            ngx_campfire_cable_gone(instances->elts[i]->cable, cycle->log);
        }
    }

    ngx_campfire_shm_slot_release(instances);
}


static void
ngx_campfire_cable_gone(ngx_campfire_cable_t *cable, ngx_log_t *log)
{
    ngx_pool_t                                       *pool;
    ngx_queue_t                                       jobs;
    ngx_campfire_job_t                               *job;
    ngx_campfire_cable_socket_t                      *s;
    ngx_campfire_model_membership_absent_all_args_t   args;

    while (!ngx_queue_empty(&cable->sockets)) {
        s = ngx_queue_data(ngx_queue_head(&cable->sockets),
                           ngx_campfire_cable_socket_t, queue);

        ngx_campfire_cable_socket_disconnect(s, "server_restart", 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_RESTART);
        ngx_campfire_cable_socket_flush(s);

        if (!ngx_queue_empty(&cable->sockets)
            && ngx_queue_head(&cable->sockets) == &s->queue)
        {
            ngx_campfire_cable_socket_close(s,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_RESTART);
        }
    }

    if (cable->absent == NULL || cable->instance->writer == NULL) {
        return;
    }

    pool = ngx_create_pool(4096, log);
    if (pool == NULL) {
        return;
    }

    job = ngx_campfire_db_writer_job(cable->instance);
    if (job) {
        args.elts = cable->absent->elts;
        args.nelts = cable->absent->nelts;

        job->write = ngx_campfire_model_membership_absent_all;
        job->args = &args;

        ngx_queue_init(&jobs);
        ngx_queue_insert_tail(&jobs, &job->queue);

        (void) ngx_campfire_db_writer_run(cable->instance, &jobs, pool, log);
        ngx_campfire_db_writer_free(job);
    }

    ngx_destroy_pool(pool);
}
