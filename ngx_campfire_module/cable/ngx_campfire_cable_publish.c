
/*
 * What a committed write sends to whom (cable.md §6).
 *
 * Runs in the writer's thread while it holds the lock, so that the ring has
 * the order of the commits.  A fragment is rendered once; the answer to the
 * request is the same bytes.  Nothing here can fail the write: what cannot be
 * sent is logged, and pages catch up when they are loaded again.
 */

#include "cable/ngx_campfire_cable.h"
#include "models/ngx_campfire_model_boost.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_sidebar.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_cable_publish_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_message(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_unread(ngx_campfire_tx_t *tx,
    int64_t room_id);
static ngx_int_t ngx_campfire_cable_publish_boost(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_room(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_member(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_involvement(
    ngx_campfire_tx_t *tx, ngx_campfire_view_ctx_t *view,
    ngx_campfire_effect_t *e);
static ngx_int_t ngx_campfire_cable_publish_line(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, int64_t viewer_id, int64_t room_id,
    ngx_campfire_view_line_t *line);
static ngx_int_t ngx_campfire_cable_publish_html(ngx_campfire_tx_t *tx,
    ngx_campfire_buf_t *out, ngx_str_t *html, const char *kind, int64_t id);
static ngx_int_t ngx_campfire_cable_publish_raw(ngx_campfire_tx_t *tx,
    ngx_campfire_ring_e kind, const int64_t *ids, ngx_uint_t n);
static ngx_int_t ngx_campfire_cable_publish_record(
    ngx_campfire_instance_t *in, ngx_campfire_ring_e kind, ngx_str_t *stream,
    ngx_str_t *payload);


void
ngx_campfire_cable_publish(ngx_campfire_tx_t *tx)
{
    ngx_queue_t              *q;
    ngx_campfire_effect_t    *e;
    ngx_campfire_view_ctx_t   view;

    ngx_memzero(&view, sizeof(ngx_campfire_view_ctx_t));

    view.instance = tx->instance;
    view.pool = tx->pool;
    view.signers = tx->signers;
    view.base_url = tx->job->base_url;
    view.prefix = tx->instance->prefix;

    for (q = ngx_queue_head(&tx->job->effects);
         q != ngx_queue_sentinel(&tx->job->effects);
         q = ngx_queue_next(q))
    {
        e = ngx_queue_data(q, ngx_campfire_effect_t, queue);

        if (ngx_campfire_cable_publish_effect(tx, &view, e) == NGX_ERROR) {
            ngx_log_error(NGX_LOG_ERR, tx->log, 0,
                          "campfire: a change of room %L in \"%V\" could not "
                          "be broadcast, pages show it when they are loaded "
                          "again", e->room, &tx->instance->database);
        }
    }
}


static ngx_int_t
ngx_campfire_cable_publish_effect(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    int64_t             ids[2];
    ngx_str_t           key;
    ngx_campfire_buf_t  out;

    ngx_campfire_base_buf_init(&out, tx->pool, 1024);

    switch (e->kind) {

    case NGX_CAMPFIRE_EFFECT_MESSAGE_CREATED:
    case NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED:
        return ngx_campfire_cable_publish_message(tx, view, e);

    case NGX_CAMPFIRE_EFFECT_MESSAGE_DESTROYED:
        ngx_campfire_view_stream_message_remove(view, &out, e->text);
        return ngx_campfire_cable_publish_html(tx, &out, &e->stream,
                                               "messages", e->room);

    case NGX_CAMPFIRE_EFFECT_BOOST_CREATED:
        return ngx_campfire_cable_publish_boost(tx, view, e);

    case NGX_CAMPFIRE_EFFECT_BOOST_DESTROYED:
        ngx_campfire_view_stream_boost_remove(view, &out, e->id);
        return ngx_campfire_cable_publish_html(tx, &out, &e->stream,
                                               "messages", e->room);

    case NGX_CAMPFIRE_EFFECT_ROOM_CREATED:
    case NGX_CAMPFIRE_EFFECT_ROOM_UPDATED:
    case NGX_CAMPFIRE_EFFECT_ROOM_OPENED:
        return ngx_campfire_cable_publish_room(tx, view, e);

    case NGX_CAMPFIRE_EFFECT_ROOM_DESTROYED:
        if (ngx_campfire_view_room_key(tx->pool, e->other, e->room, &key)
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        ngx_campfire_view_stream_room_remove(view, &out, key);
        return ngx_campfire_cable_publish_html(tx, &out, &e->stream, "rooms",
                                               0);

    case NGX_CAMPFIRE_EFFECT_INVOLVEMENT:
        return ngx_campfire_cable_publish_involvement(tx, view, e);

    case NGX_CAMPFIRE_EFFECT_MEMBER_ADDED:
        return ngx_campfire_cable_publish_member(tx, view, e);

    case NGX_CAMPFIRE_EFFECT_READ:
    {
        u_char     name[sizeof("reads:") + NGX_INT64_LEN];
        u_char     json[sizeof("{\"room_id\":}") + NGX_INT64_LEN];
        ngx_str_t  stream, message;

        stream.data = name;
        stream.len = ngx_sprintf(name, "reads:%L", e->user) - name;
        message.data = json;
        message.len = ngx_sprintf(json, "{\"room_id\":%L}", e->room) - json;

        return ngx_campfire_cable_publish_json(tx->instance, &stream,
                                               &message);
    }

    case NGX_CAMPFIRE_EFFECT_SESSION_DESTROYED:
        ids[0] = e->id;
        return ngx_campfire_cable_publish_raw(tx,
                                 NGX_CAMPFIRE_RING_DISCONNECT_SESSION, ids,
                                 1);

    case NGX_CAMPFIRE_EFFECT_USER_DISCONNECTED:
        ids[0] = e->user;
        ids[1] = e->other;
        return ngx_campfire_cable_publish_raw(tx,
                                 NGX_CAMPFIRE_RING_DISCONNECT_USER, ids, 2);

    case NGX_CAMPFIRE_EFFECT_USER_CHANGED:
    case NGX_CAMPFIRE_EFFECT_ACCOUNT_CHANGED:
        return NGX_OK;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_cable_publish_message(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    ngx_int_t                    rc;
    ngx_campfire_buf_t           out;
    ngx_campfire_message_t       row;
    ngx_campfire_view_message_t  message;

    rc = ngx_campfire_model_message_get(tx->conn, tx->pool, tx->signers,
                                        &tx->job->base_url, e->id, &row);

    if (rc == NGX_DECLINED) {

        /* deleted by a later job of the same batch, which says so itself */
        return NGX_OK;
    }

    if (rc != NGX_OK
        || ngx_campfire_view_message_init(view, &row, &message) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, tx->pool, 8192);

    if (e->kind == NGX_CAMPFIRE_EFFECT_MESSAGE_UPDATED) {
        ngx_campfire_view_stream_message_replace(view, &out, &message);
        return ngx_campfire_cable_publish_html(tx, &out, &e->stream,
                                               "messages", e->room);
    }

    ngx_campfire_view_stream_message_append(view, &out, &message);

    rc = ngx_campfire_cable_publish_html(tx, &out, &e->stream, "messages",
                                         e->room);
    if (rc == NGX_ERROR) {
        return NGX_ERROR;
    }

    return ngx_campfire_cable_publish_unread(tx, e->room);
}


/* One record with the ids of all members. */
static ngx_int_t
ngx_campfire_cable_publish_unread(ngx_campfire_tx_t *tx, int64_t room_id)
{
    int64_t             *p, n;
    ngx_str_t            payload;
    ngx_campfire_ids_t   ids;
    static ngx_str_t     stream = ngx_string("unreads");

    if (ngx_campfire_model_membership_user_ids(tx->conn, tx->pool, room_id,
                                               &ids)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    n = ids.nelts;

    payload.len = (ids.nelts + 2) * sizeof(int64_t);
    p = ngx_palloc(tx->pool, payload.len);
    if (p == NULL) {
        return NGX_ERROR;
    }

    payload.data = (u_char *) p;

    p[0] = room_id;
    p[1] = n;
    ngx_memcpy(&p[2], ids.elts, ids.nelts * sizeof(int64_t));

    return ngx_campfire_cable_publish_record(tx->instance,
                                             NGX_CAMPFIRE_RING_UNREAD,
                                             &stream, &payload);
}


static ngx_int_t
ngx_campfire_cable_publish_boost(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    ngx_int_t                  rc;
    ngx_campfire_buf_t         out;
    ngx_campfire_boost_t       row;
    ngx_campfire_message_t     message;
    ngx_campfire_view_boost_t  boost;

    rc = ngx_campfire_model_boost_get(tx->conn, tx->pool, e->id, &row);

    if (rc == NGX_OK) {
        rc = ngx_campfire_model_message_locate(tx->conn, tx->pool, e->other,
                                               &message);
    }

    if (rc == NGX_DECLINED) {
        return NGX_OK;
    }

    if (rc != NGX_OK
        || ngx_campfire_view_boost_init(view, &row, &boost) != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, tx->pool, 4096);
    ngx_campfire_view_stream_boost_append(view, &out, &boost,
                                          message.client_message_id);

    return ngx_campfire_cable_publish_html(tx, &out, &e->stream, "messages",
                                           e->room);
}


/* A line of the sidebar, as that viewer sees it but never unread. */
static ngx_int_t
ngx_campfire_cable_publish_line(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, int64_t viewer_id, int64_t room_id,
    ngx_campfire_view_line_t *line)
{
    ngx_int_t                     rc;
    ngx_campfire_sidebar_room_t   row;

    rc = ngx_campfire_model_sidebar_line(tx->conn, tx->pool, viewer_id,
                                         room_id, &row);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_view_sidebar_line_init(view, &row, line);
}


/*
 * Open rooms are told to everybody, the others to their members.  A room that
 * was converted is replaced under its old key first.
 */
static ngx_int_t
ngx_campfire_cable_publish_room(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    ngx_int_t                 rc;
    ngx_str_t                 old, html;
    ngx_uint_t                i;
    ngx_campfire_buf_t        out;
    ngx_campfire_ids_t        ids;
    ngx_campfire_room_t       room;
    ngx_campfire_view_line_t  line;

    rc = ngx_campfire_model_room_get(tx->conn, tx->pool, e->room, &room);

    if (rc == NGX_OK) {
        rc = ngx_campfire_model_membership_user_ids(tx->conn, tx->pool,
                                                    e->room, &ids);
    }

    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : NGX_ERROR;
    }

    for (i = 0; i < ids.nelts; i++) {

        /* shared rooms look the same to all */

        if (i == 0 || room.type == NGX_CAMPFIRE_ROOM_DIRECT) {

            if (ngx_campfire_cable_publish_line(tx, view, ids.elts[i],
                                                e->room, &line)
                != NGX_OK)
            {
                return NGX_ERROR;
            }

            ngx_campfire_base_buf_init(&out, tx->pool, 2048);

            if (e->kind != NGX_CAMPFIRE_EFFECT_ROOM_UPDATED) {
                ngx_campfire_view_stream_room_prepend(view, &out, &line);

            } else {

                if ((ngx_int_t) e->other != (ngx_int_t) room.type) {
                    if (ngx_campfire_view_room_key(tx->pool, e->other,
                                                   room.id, &old)
                        != NGX_OK)
                    {
                        return NGX_ERROR;
                    }

                    ngx_campfire_view_stream_room_replace(view, &out, old,
                                                          &line);
                }

                ngx_campfire_view_stream_room_replace(view, &out, line.key,
                                                      &line);
            }
        }

        if (room.type == NGX_CAMPFIRE_ROOM_OPEN) {
            return ngx_campfire_cable_publish_html(tx, &out, &html, "rooms",
                                                   0);
        }

        if (ngx_campfire_cable_publish_html(tx, &out, &html, "rooms",
                                            ids.elts[i])
            == NGX_ERROR)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_cable_publish_member(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    ngx_int_t                 rc;
    ngx_str_t                 html;
    ngx_campfire_buf_t        out;
    ngx_campfire_view_line_t  line;

    rc = ngx_campfire_cable_publish_line(tx, view, e->user, e->room, &line);

    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, tx->pool, 2048);
    ngx_campfire_view_stream_room_prepend(view, &out, &line);

    return ngx_campfire_cable_publish_html(tx, &out, &html, "rooms", e->user);
}


/* Only to and from invisible changes the sidebar, and never for pings. */
static ngx_int_t
ngx_campfire_cable_publish_involvement(ngx_campfire_tx_t *tx,
    ngx_campfire_view_ctx_t *view, ngx_campfire_effect_t *e)
{
    ngx_int_t                   rc;
    ngx_str_t                   html;
    ngx_campfire_buf_t          out;
    ngx_campfire_room_t         room;
    ngx_campfire_view_line_t    line;
    ngx_campfire_membership_t   membership;

    rc = ngx_campfire_model_room_find(tx->conn, tx->pool, e->user, e->room,
                                      &room, &membership);
    if (rc != NGX_OK) {
        return (rc == NGX_DECLINED) ? NGX_OK : NGX_ERROR;
    }

    if (room.type == NGX_CAMPFIRE_ROOM_DIRECT
        || (membership.involvement != NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE
            && e->other != NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE))
    {
        return NGX_OK;
    }

    if (ngx_campfire_cable_publish_line(tx, view, e->user, e->room, &line)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, tx->pool, 2048);

    if (membership.involvement == NGX_CAMPFIRE_INVOLVEMENT_INVISIBLE) {
        ngx_campfire_view_stream_room_remove(view, &out, line.key);

    } else {
        ngx_campfire_view_stream_room_prepend(view, &out, &line);
    }

    return ngx_campfire_cable_publish_html(tx, &out, &html, "rooms", e->user);
}


/*
 * Publishes HTML on "<kind>:<id>", or on kind alone for id 0.  html becomes
 * the bytes also when they cannot be sent.
 */
static ngx_int_t
ngx_campfire_cable_publish_html(ngx_campfire_tx_t *tx,
    ngx_campfire_buf_t *out, ngx_str_t *html, const char *kind, int64_t id)
{
    u_char              name[32 + NGX_INT64_LEN];
    ngx_str_t           stream, message;
    ngx_campfire_buf_t  json;

    if (ngx_campfire_base_buf_done(out, html) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&json, tx->pool, html->len + html->len / 4);
    ngx_campfire_base_buf_lit(&json, "\"");
    ngx_campfire_base_buf_json(&json, *html);
    ngx_campfire_base_buf_lit(&json, "\"");

    if (ngx_campfire_base_buf_done(&json, &message) != NGX_OK) {
        return NGX_ERROR;
    }

    stream.data = name;
    stream.len = (id ? ngx_sprintf(name, "%s:%L", kind, id)
                     : ngx_sprintf(name, "%s", kind))
                 - name;

    return ngx_campfire_cable_publish_json(tx->instance, &stream, &message);
}


ngx_int_t
ngx_campfire_cable_publish_json(ngx_campfire_instance_t *in,
    ngx_str_t *stream, ngx_str_t *message)
{
    return ngx_campfire_cable_publish_record(in, NGX_CAMPFIRE_RING_STREAM,
                                             stream, message);
}


static ngx_int_t
ngx_campfire_cable_publish_raw(ngx_campfire_tx_t *tx,
    ngx_campfire_ring_e kind, const int64_t *ids, ngx_uint_t n)
{
    ngx_str_t  stream, payload;

    ngx_str_null(&stream);

    payload.data = (u_char *) ids;
    payload.len = n * sizeof(int64_t);

    return ngx_campfire_cable_publish_record(tx->instance, kind, &stream,
                                             &payload);
}


/* Revocations go to every worker, the rest to those with readers. */
static ngx_int_t
ngx_campfire_cable_publish_record(ngx_campfire_instance_t *in,
    ngx_campfire_ring_e kind, ngx_str_t *stream, ngx_str_t *payload)
{
    ngx_slab_pool_t  *shpool;

    shpool = (ngx_slab_pool_t *) in->zone->shm.addr;

    if (ngx_campfire_shm_ring_append(shpool, in->sh, kind, stream, payload)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_shm_count(in->sh, NGX_CAMPFIRE_COUNTER_PUBLISHED);

    ngx_campfire_shm_signal(in->sh, stream->len
                                    ? ngx_campfire_shm_hash(stream) : 0);

    return NGX_OK;
}
