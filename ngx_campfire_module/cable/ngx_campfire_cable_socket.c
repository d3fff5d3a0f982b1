
/*
 * One socket: taking the connection over, reading, writing, closing.
 *
 * After the 101 the request is freed; what stays is the connection, this
 * struct and the subscriptions (nginx-engineering §4.1).  Input is read into
 * one buffer of the process.  Output is a list of references to shared bytes,
 * gathered into one buffer per write, so that plain and TLS connections are
 * written in the same way.
 */

#include "cable/ngx_campfire_cable.h"
#include "base/ngx_campfire_base_utf8.h"
#include "models/ngx_campfire_model_session.h"


#define NGX_CAMPFIRE_CABLE_READ       65536
#define NGX_CAMPFIRE_CABLE_WRITE      16384
#define NGX_CAMPFIRE_CABLE_LINGER     1000     /* ms after the last frame */
#define NGX_CAMPFIRE_CABLE_STALLED    30000    /* ms with nothing written */
#define NGX_CAMPFIRE_CABLE_RATE       50       /* commands a second */
#define NGX_CAMPFIRE_CABLE_BURST      200


static void ngx_campfire_cable_socket_identify(
    ngx_campfire_cable_socket_t *s, ngx_str_t *token);
static void ngx_campfire_cable_socket_read(ngx_event_t *rev);
static ngx_int_t ngx_campfire_cable_socket_parse(
    ngx_campfire_cable_socket_t *s, u_char *p, u_char *last);
static ngx_int_t ngx_campfire_cable_socket_frame(
    ngx_campfire_cable_socket_t *s, ngx_pool_t *pool,
    ngx_campfire_cable_frame_t *frame);
static ngx_uint_t ngx_campfire_cable_socket_paused(
    ngx_campfire_cable_socket_t *s);
static void ngx_campfire_cable_socket_write(ngx_event_t *wev);
static void ngx_campfire_cable_socket_control(ngx_campfire_cable_socket_t *s,
    ngx_campfire_cable_frame_e opcode, u_char *payload, size_t len);
static void ngx_campfire_cable_socket_finish(ngx_campfire_cable_socket_t *s,
    ngx_uint_t code);
static void ngx_campfire_cable_socket_drop(ngx_campfire_cable_socket_t *s);
static void ngx_campfire_cable_socket_sent(ngx_campfire_cable_socket_t *s,
    size_t n);
static ngx_campfire_cable_bytes_t *ngx_campfire_cable_socket_bytes(
    ngx_campfire_cable_frame_e opcode, u_char *payload, size_t len,
    ngx_log_t *log);


void
ngx_campfire_cable_socket_open(ngx_http_request_t *r,
    ngx_campfire_instance_t *in, ngx_str_t *token)
{
    size_t                        len;
    u_char                       *left, session[256];
    ngx_int_t                     rc;
    ngx_str_t                     secret;
    ngx_queue_t                  *slot;
    ngx_chain_t                  *cl, *ln;
    ngx_connection_t             *c;
    ngx_http_connection_t        *hc;
    ngx_campfire_cable_socket_t  *s;

    c = r->connection;
    hc = r->http_connection;

    s = ngx_calloc(sizeof(ngx_campfire_cable_socket_t), ngx_cycle->log);

    /* frames that came with the handshake */

    left = NULL;
    len = r->header_in->last - r->header_in->pos;

    if (len) {
        left = ngx_alloc(len, ngx_cycle->log);
        if (left) {
            ngx_memcpy(left, r->header_in->pos, len);
        }
    }

    secret.data = session;
    secret.len = ngx_min(token->len, sizeof(session));
    ngx_memcpy(session, token->data, secret.len);

    ngx_http_free_request(r, 0);

    c->destroyed = 0;

    if (s == NULL || (len && left == NULL)) {
        ngx_http_close_connection(c);

        if (s) {
            ngx_free(s);
        }

        return;
    }

    for (cl = hc->free; cl; cl = ln) {
        ln = cl->next;
        ngx_pfree(c->pool, cl->buf->start);
        ngx_free_chain(c->pool, cl);
    }

    hc->free = NULL;

    for (cl = hc->busy; cl; cl = ln) {
        ln = cl->next;
        ngx_pfree(c->pool, cl->buf->start);
        ngx_free_chain(c->pool, cl);
    }

    hc->busy = NULL;
    hc->nbusy = 0;

    if (c->buffer) {
        ngx_pfree(c->pool, c->buffer->start);
        c->buffer = NULL;
    }

#if (NGX_HTTP_SSL)

    if (c->ssl) {
        ngx_ssl_free_buffer(c);

        /* the rest of a write may come from another address */
        SSL_set_mode(c->ssl->connection, SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                                         |SSL_MODE_ENABLE_PARTIAL_WRITE);
    }

#endif

    s->connection = c;
    s->cable = in->cable;
    s->budget = NGX_CAMPFIRE_CABLE_BURST;
    s->refilled = ngx_current_msec;
    s->opened = ngx_time();
    s->out_last = &s->out;

    ngx_queue_init(&s->subs);
    ngx_queue_insert_tail(&in->cable->sockets, &s->queue);

    slot = ngx_campfire_cable_wheel_slot();
    ngx_queue_insert_tail(slot, &s->wheel);

    in->cable->nsockets++;

    (void) ngx_atomic_fetch_add(
               &in->sh->slots[ngx_campfire_shm_slot()].sockets, 1);
    ngx_campfire_shm_count(in->sh, NGX_CAMPFIRE_COUNTER_SOCKETS_OPENED);

    c->data = s;
    c->idle = 1;
    c->log->action = "serving a cable socket";
    c->read->handler = ngx_campfire_cable_socket_read;
    c->write->handler = ngx_campfire_cable_socket_write;

    ngx_reusable_connection(c, 0);

    if (c->read->timer_set) {
        ngx_del_timer(c->read);
    }

    if (c->write->timer_set) {
        ngx_del_timer(c->write);
    }

    ngx_campfire_cable_socket_identify(s, &secret);
    ngx_memzero(session, sizeof(session));

    if (ngx_handle_read_event(c->read, 0) != NGX_OK) {

        if (left) {
            ngx_free(left);
        }

        ngx_campfire_cable_socket_close(s,
                                        NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
        return;
    }

    if (left) {
        rc = ngx_campfire_cable_socket_parse(s, left, left + len);
        ngx_free(left);

        if (rc != NGX_OK) {
            return;
        }
    }

    if (c->read->ready) {
        ngx_post_event(c->read, &ngx_posted_events);
    }

    if (ngx_exiting) {
        ngx_campfire_cable_leave();
    }
}


/*
 * The socket is in the list already: a session that ends from now on finds
 * it there.
 */
static void
ngx_campfire_cable_socket_identify(ngx_campfire_cable_socket_t *s,
    ngx_str_t *token)
{
    ngx_int_t                    rc;
    ngx_pool_t                  *pool;
    ngx_campfire_buf_t           out;
    ngx_campfire_user_t          user;
    ngx_campfire_session_t       session;
    ngx_campfire_db_conn_t      *conn;
    ngx_campfire_cable_bytes_t  *bytes;

    rc = NGX_DECLINED;
    conn = s->cable->instance->db->read;

    pool = ngx_create_pool(1024, s->cable->log);
    if (pool == NULL) {
        ngx_campfire_cable_socket_disconnect(s, NULL, 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        return;
    }

    if (token->len) {
        rc = ngx_campfire_db_begin_read(conn);

        if (rc == NGX_OK) {
            rc = ngx_campfire_model_session_find(conn, pool, token, &session,
                                                 &user);
            ngx_campfire_db_end_read(conn);
        }
    }

    if (rc == NGX_OK) {
        s->user_id = user.id;
        s->session_id = session.id;

        ngx_campfire_base_buf_init(&out, pool, 64);
        ngx_campfire_cable_protocol_welcome(&out);
        bytes = ngx_campfire_cable_socket_text(&out, s->cable->log);

        if (bytes) {
            ngx_campfire_cable_socket_send(s, bytes);
            ngx_campfire_cable_socket_release(bytes);
        }

    } else if (rc == NGX_DECLINED) {
        ngx_campfire_cable_socket_disconnect(s, "unauthorized", 0,
                                    NGX_CAMPFIRE_COUNTER_CLOSED_UNAUTHORIZED);

    } else {
        ngx_campfire_cable_socket_disconnect(s, NULL, 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
    }

    ngx_destroy_pool(pool);
}


static void
ngx_campfire_cable_socket_read(ngx_event_t *rev)
{
    ssize_t                       n;
    ngx_connection_t             *c;
    ngx_campfire_cable_socket_t  *s;
    static u_char                 buf[NGX_CAMPFIRE_CABLE_READ];

    c = rev->data;
    s = c->data;

    if (c->close) {
        c->close = 0;

        if (c->error) {

            /* worker_shutdown_timeout */
            ngx_campfire_cable_socket_disconnect(s, "server_restart", 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_RESTART);
            ngx_campfire_cable_socket_flush(s);

            if (c->data == s && !c->destroyed) {
                ngx_campfire_cable_socket_close(s,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_RESTART);
            }

            return;
        }

        ngx_campfire_cable_leave();
        return;
    }

    if (rev->timedout) {
        rev->timedout = 0;
        s->paused = 0;
    }

    while (!ngx_campfire_cable_socket_paused(s)) {

        n = c->recv(c, buf, sizeof(buf));

        if (n == NGX_AGAIN) {
            if (ngx_handle_read_event(rev, 0) != NGX_OK) {
                break;
            }

            return;
        }

        if (n == NGX_ERROR || n == 0) {
            break;
        }

        if (ngx_campfire_cable_socket_parse(s, buf, buf + n) != NGX_OK) {
            return;
        }
    }

    if (s->paused) {
        return;
    }

    ngx_campfire_cable_socket_close(s, NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
}


/*
 * Commands beyond the rate are not dropped: nothing is read until they are
 * paid for.
 */
static ngx_uint_t
ngx_campfire_cable_socket_paused(ngx_campfire_cable_socket_t *s)
{
    ngx_msec_t  elapsed;

    if (s->paused) {
        return 1;
    }

    elapsed = ngx_current_msec - s->refilled;

    if (elapsed >= 1000 / NGX_CAMPFIRE_CABLE_RATE) {
        s->budget = ngx_min(NGX_CAMPFIRE_CABLE_BURST,
                            s->budget + (ngx_int_t)
                                    (ngx_min(elapsed, 60000)
                                     * NGX_CAMPFIRE_CABLE_RATE / 1000));
        s->refilled = ngx_current_msec;
    }

    if (s->budget > 0) {
        return 0;
    }

    s->paused = 1;
    s->connection->read->cancelable = 1;

    ngx_add_timer(s->connection->read,
                  (ngx_msec_t) (1 - s->budget) * 1000
                  / NGX_CAMPFIRE_CABLE_RATE + 1);

    return 1;
}


/* NGX_DONE: the socket is gone. */
static ngx_int_t
ngx_campfire_cable_socket_parse(ngx_campfire_cable_socket_t *s, u_char *p,
    u_char *last)
{
    ngx_int_t                   rc;
    ngx_pool_t                 *pool;
    ngx_campfire_cable_frame_t  frame;

    pool = ngx_create_pool(4096, s->cable->log);
    if (pool == NULL) {
        ngx_campfire_cable_socket_close(s, NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        return NGX_DONE;
    }

    for ( ;; ) {
        rc = ngx_campfire_cable_frame_read(&s->reader, &p, last, &frame);

        if (rc == NGX_AGAIN) {
            break;
        }

        if (rc == NGX_ERROR) {

            if (!s->closing) {
                ngx_campfire_shm_count(s->cable->instance->sh,
                                       NGX_CAMPFIRE_COUNTER_CLOSED_PROTOCOL);
                ngx_campfire_cable_socket_finish(s, frame.code);
            }

            /* nothing more is understood; the rest runs out by the timer */
            s->closed = 1;
            break;
        }

        if (ngx_campfire_cable_socket_frame(s, pool, &frame) != NGX_OK) {
            break;
        }

        ngx_reset_pool(pool);
    }

    if (s->deferred && !s->closing) {
        ngx_campfire_cable_channel_deferred(s, pool);
    }

    ngx_destroy_pool(pool);

    return NGX_OK;
}


/* NGX_DONE: nothing more is read from this socket. */
static ngx_int_t
ngx_campfire_cable_socket_frame(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_campfire_cable_frame_t *frame)
{
    s->received++;
    s->budget--;

    switch (frame->opcode) {

    case NGX_CAMPFIRE_CABLE_FRAME_TEXT:

        if (!ngx_campfire_base_utf8_valid(frame->payload.data,
                                          frame->payload.len))
        {
            ngx_campfire_shm_count(s->cable->instance->sh,
                                   NGX_CAMPFIRE_COUNTER_CLOSED_PROTOCOL);
            ngx_campfire_cable_socket_finish(s,
                                             NGX_CAMPFIRE_CABLE_CLOSE_INVALID);
            return NGX_DONE;
        }

        if (!s->closing) {
            ngx_campfire_cable_channel_command(s, pool, &frame->payload);
        }

        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_FRAME_PING:

        if (!s->closing) {
            ngx_campfire_cable_socket_control(s,
                                              NGX_CAMPFIRE_CABLE_FRAME_PONG,
                                              frame->payload.data,
                                              frame->payload.len);
        }

        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_FRAME_CLOSE:
        s->closed = 1;

        if (!s->closing) {
            ngx_campfire_shm_count(s->cable->instance->sh,
                                   NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
            ngx_campfire_cable_socket_finish(s, frame->code);
        }

        ngx_campfire_cable_flush_later(s);

        return NGX_DONE;

    default:
        return NGX_OK;
    }
}


static ngx_campfire_cable_bytes_t *
ngx_campfire_cable_socket_bytes(ngx_campfire_cable_frame_e opcode,
    u_char *payload, size_t len, ngx_log_t *log)
{
    u_char                      *p;
    ngx_campfire_cable_bytes_t  *bytes;

    bytes = ngx_alloc(sizeof(ngx_campfire_cable_bytes_t)
                      + NGX_CAMPFIRE_CABLE_FRAME_HEADER + len, log);
    if (bytes == NULL) {
        return NULL;
    }

    p = ngx_campfire_cable_frame_header(bytes->data, opcode, len);

    if (len) {
        p = ngx_cpymem(p, payload, len);
    }

    bytes->refs = 1;
    bytes->len = p - bytes->data;

    return bytes;
}


ngx_campfire_cable_bytes_t *
ngx_campfire_cable_socket_text(ngx_campfire_buf_t *text, ngx_log_t *log)
{
    ngx_str_t  payload;

    if (ngx_campfire_base_buf_done(text, &payload) != NGX_OK) {
        return NULL;
    }

    return ngx_campfire_cable_socket_bytes(NGX_CAMPFIRE_CABLE_FRAME_TEXT,
                                           payload.data, payload.len, log);
}


void
ngx_campfire_cable_socket_release(ngx_campfire_cable_bytes_t *bytes)
{
    if (--bytes->refs == 0) {
        ngx_free(bytes);
    }
}


void
ngx_campfire_cable_socket_send(ngx_campfire_cable_socket_t *s,
    ngx_campfire_cable_bytes_t *bytes)
{
    ngx_campfire_cable_out_t  *out;

    if (s->closing) {
        return;
    }

    if (s->nout >= NGX_CAMPFIRE_CABLE_FRAMES
        || (s->nout && s->unsent + bytes->len > NGX_CAMPFIRE_CABLE_UNSENT))
    {
        ngx_campfire_cable_socket_disconnect(s, NULL, 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        return;
    }

    out = ngx_alloc(sizeof(ngx_campfire_cable_out_t), s->cable->log);

    if (out == NULL) {
        ngx_campfire_cable_socket_disconnect(s, NULL, 1,
                                         NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        return;
    }

    bytes->refs++;

    out->bytes = bytes;
    out->next = NULL;

    *s->out_last = out;
    s->out_last = &out->next;
    s->unsent += bytes->len;
    s->nout++;

    ngx_campfire_cable_flush_later(s);
}


static void
ngx_campfire_cable_socket_control(ngx_campfire_cable_socket_t *s,
    ngx_campfire_cable_frame_e opcode, u_char *payload, size_t len)
{
    ngx_campfire_cable_bytes_t  *bytes;

    bytes = ngx_campfire_cable_socket_bytes(opcode, payload, len,
                                            s->cable->log);
    if (bytes) {
        ngx_campfire_cable_socket_send(s, bytes);
        ngx_campfire_cable_socket_release(bytes);
    }
}


/* Forgets what is queued, but for a frame that is partly on its way. */
static void
ngx_campfire_cable_socket_drop(ngx_campfire_cable_socket_t *s)
{
    ngx_campfire_cable_out_t  *out, **first;

    first = s->offset ? &s->out->next : &s->out;

    while (*first) {
        out = *first;
        *first = out->next;

        s->unsent -= out->bytes->len;
        s->nout--;

        ngx_campfire_cable_socket_release(out->bytes);
        ngx_free(out);
    }

    s->out_last = first;
}


void
ngx_campfire_cable_socket_disconnect(ngx_campfire_cable_socket_t *s,
    const char *reason, ngx_uint_t reconnect, ngx_campfire_counter_e counter)
{
    ngx_pool_t                  *pool;
    ngx_campfire_buf_t           out;
    ngx_campfire_cable_bytes_t  *bytes;

    if (s->closing) {
        return;
    }

    ngx_campfire_shm_count(s->cable->instance->sh, counter);

    ngx_campfire_cable_socket_drop(s);

    pool = ngx_create_pool(1024, s->cable->log);

    if (pool) {
        ngx_campfire_base_buf_init(&out, pool, 128);
        ngx_campfire_cable_protocol_disconnect(&out, reason, reconnect);

        bytes = ngx_campfire_cable_socket_text(&out, s->cable->log);

        if (bytes) {
            ngx_campfire_cable_socket_send(s, bytes);
            ngx_campfire_cable_socket_release(bytes);
        }

        ngx_destroy_pool(pool);
    }

    ngx_campfire_cable_socket_finish(s, NGX_CAMPFIRE_CABLE_CLOSE_NORMAL);
}


/* Close, and some time for the peer to answer it. */
static void
ngx_campfire_cable_socket_finish(ngx_campfire_cable_socket_t *s,
    ngx_uint_t code)
{
    u_char  payload[2];

    if (s->closing) {
        return;
    }

    payload[0] = (u_char) (code >> 8);
    payload[1] = (u_char) code;

    ngx_campfire_cable_socket_control(s, NGX_CAMPFIRE_CABLE_FRAME_CLOSE,
                                      payload, code ? 2 : 0);

    s->closing = 1;

    s->connection->write->cancelable = 0;
    ngx_add_timer(s->connection->write, NGX_CAMPFIRE_CABLE_LINGER);

    ngx_campfire_cable_flush_later(s);
}


static void
ngx_campfire_cable_socket_write(ngx_event_t *wev)
{
    ngx_connection_t             *c;
    ngx_campfire_cable_socket_t  *s;

    c = wev->data;
    s = c->data;

    if (wev->timedout) {
        wev->timedout = 0;

        if (!s->closing) {
            ngx_campfire_shm_count(s->cable->instance->sh,
                                   NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        }

        s->closing = 1;
        ngx_campfire_cable_socket_close(s, NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);
        return;
    }

    ngx_campfire_cable_socket_flush(s);
}


/* Small frames go out together, a large one as it lies. */
void
ngx_campfire_cable_socket_flush(ngx_campfire_cable_socket_t *s)
{
    size_t                     len, part;
    ssize_t                    n;
    u_char                    *p;
    ngx_event_t               *wev;
    ngx_connection_t          *c;
    ngx_campfire_cable_out_t  *out;
    static u_char              buf[NGX_CAMPFIRE_CABLE_WRITE];

    c = s->connection;
    wev = c->write;

    while (s->out && wev->ready) {

        p = s->out->bytes->data + s->offset;
        len = s->out->bytes->len - s->offset;

        if (len < sizeof(buf) && s->out->next) {
            len = 0;

            for (out = s->out; out && len < sizeof(buf); out = out->next) {
                p = out->bytes->data;
                part = out->bytes->len;

                if (out == s->out) {
                    p += s->offset;
                    part -= s->offset;
                }

                part = ngx_min(part, sizeof(buf) - len);
                ngx_memcpy(buf + len, p, part);
                len += part;
            }

            p = buf;
        }

        n = c->send(c, p, len);

        if (n == NGX_ERROR) {
            s->closing = 1;
            ngx_campfire_cable_socket_close(s,
                                          NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
            return;
        }

        if (n == NGX_AGAIN) {
            break;
        }

        ngx_campfire_cable_socket_sent(s, n);
    }

    if (s->out == NULL) {

        if (s->closing && s->closed) {
            ngx_campfire_cable_socket_close(s,
                                          NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
            return;
        }

        if (!s->closing && wev->timer_set) {
            ngx_del_timer(wev);
        }

        return;
    }

    if (ngx_handle_write_event(wev, 0) != NGX_OK) {
        ngx_campfire_cable_socket_close(s, NGX_CAMPFIRE_COUNTER_CLOSED_CLIENT);
        return;
    }

    if (!s->closing) {
        wev->cancelable = 1;

        if (!wev->timer_set) {
            ngx_add_timer(wev, NGX_CAMPFIRE_CABLE_STALLED);
        }
    }
}


static void
ngx_campfire_cable_socket_sent(ngx_campfire_cable_socket_t *s, size_t n)
{
    size_t                     part;
    ngx_campfire_cable_out_t  *out;

    s->unsent -= n;

    while (n) {
        out = s->out;
        part = out->bytes->len - s->offset;

        if (n < part) {
            s->offset += n;
            break;
        }

        n -= part;

        s->offset = 0;
        s->out = out->next;
        s->nout--;
        s->sent++;

        ngx_campfire_cable_socket_release(out->bytes);
        ngx_free(out);
    }

    if (s->out == NULL) {
        s->out_last = &s->out;
    }

    /* something moves: the stalled timer starts again */

    if (!s->closing && s->connection->write->timer_set) {
        ngx_del_timer(s->connection->write);
    }
}


void
ngx_campfire_cable_socket_close(ngx_campfire_cable_socket_t *s,
    ngx_campfire_counter_e counter)
{
    ngx_connection_t          *c;
    ngx_campfire_cable_t      *cable;
    ngx_campfire_cable_sub_t  *sub;

    c = s->connection;
    cable = s->cable;

    if (!s->closing) {
        ngx_campfire_shm_count(cable->instance->sh, counter);
    }

    ngx_log_error(NGX_LOG_INFO, c->log, 0,
                  "campfire: socket of \"%V\" closed after %T s, "
                  "%ui frames in, %ui out", &cable->instance->storage,
                  ngx_time() - s->opened, s->received, s->sent);

    s->offset = 0;
    ngx_campfire_cable_socket_drop(s);
    ngx_campfire_cable_frame_cleanup(&s->reader);

    while (!ngx_queue_empty(&s->subs)) {
        sub = ngx_queue_data(ngx_queue_head(&s->subs),
                             ngx_campfire_cable_sub_t, queue);
        ngx_campfire_cable_channel_remove(sub);
    }

    ngx_queue_remove(&s->queue);
    ngx_queue_remove(&s->wheel);

    if (s->flushing) {
        ngx_queue_remove(&s->flush);
    }

    cable->nsockets--;

    (void) ngx_atomic_fetch_add(
               &cable->instance->sh->slots[ngx_campfire_shm_slot()].sockets,
               -1);

    /* presence is written at the end of this turn */
    ngx_campfire_cable_wake();

    ngx_free(s);

    ngx_http_close_connection(c);
}
