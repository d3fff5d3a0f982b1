
/*
 * Commands of clients: who may subscribe to what, and what the channels do
 * (cable.md §2.3 and §5).
 *
 * Interest in a stream is shown to publishers before the right to it is read
 * from a fresh snapshot: whatever takes the right away later either is seen
 * by that read or reaches the subscription.
 */

#include "cable/ngx_campfire_cable.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_room.h"
#include "models/ngx_campfire_model_user.h"
#include "rails/ngx_campfire_rails_stream.h"


typedef struct {
    ngx_str_t                       name;
    ngx_campfire_cable_channel_e    channel;
} ngx_campfire_cable_channel_t;


static void ngx_campfire_cable_channel_subscribe(
    ngx_campfire_cable_socket_t *s, ngx_pool_t *pool, ngx_str_t *identifier);
static ngx_campfire_cable_sub_t *ngx_campfire_cable_channel_find(
    ngx_campfire_cable_socket_t *s, ngx_str_t *identifier);
static ngx_campfire_cable_sub_t *ngx_campfire_cable_channel_create(
    ngx_campfire_cable_socket_t *s, ngx_str_t *identifier,
    ngx_campfire_cable_channel_e channel);
static ngx_int_t ngx_campfire_cable_channel_stream(
    ngx_campfire_cable_socket_t *s, ngx_pool_t *pool,
    ngx_campfire_cable_channel_e channel,
    ngx_campfire_cable_identifier_t *id, ngx_str_t *stream,
    int64_t *room_id, ngx_campfire_room_type_e *type);
static ngx_int_t ngx_campfire_cable_channel_turbo(
    ngx_campfire_cable_socket_t *s, ngx_pool_t *pool, ngx_str_t *name,
    ngx_str_t *stream);
static ngx_int_t ngx_campfire_cable_channel_allowed(
    ngx_campfire_cable_socket_t *s, ngx_pool_t *pool,
    ngx_campfire_cable_channel_e channel, int64_t room_id,
    ngx_campfire_room_type_e type);
static void ngx_campfire_cable_channel_confirm(ngx_campfire_cable_sub_t *sub);
static void ngx_campfire_cable_channel_answer(ngx_campfire_cable_socket_t *s,
    ngx_str_t *identifier, ngx_uint_t confirmed);
static void ngx_campfire_cable_channel_perform(
    ngx_campfire_cable_sub_t *sub, ngx_pool_t *pool, ngx_str_t *action);
static ngx_int_t ngx_campfire_cable_channel_presence(
    ngx_campfire_cable_sub_t *sub, ngx_campfire_write_pt write,
    ngx_campfire_job_done_pt done, ngx_uint_t counted);
static void ngx_campfire_cable_channel_present(ngx_campfire_job_t *job);
static void ngx_campfire_cable_channel_left(ngx_campfire_cable_sub_t *sub);
static void ngx_campfire_cable_channel_typing(ngx_campfire_cable_sub_t *sub,
    ngx_pool_t *pool, ngx_str_t *action);
static ngx_uint_t ngx_campfire_cable_channel_is(ngx_str_t *text,
    const char *word);


static const ngx_campfire_cable_channel_t  ngx_campfire_cable_channels[] = {
    { ngx_string("RoomMessagesChannel"),
      NGX_CAMPFIRE_CABLE_CHANNEL_MESSAGES },
    { ngx_string("PresenceChannel"), NGX_CAMPFIRE_CABLE_CHANNEL_PRESENCE },
    { ngx_string("TypingNotificationsChannel"),
      NGX_CAMPFIRE_CABLE_CHANNEL_TYPING },
    { ngx_string("HeartbeatChannel"), NGX_CAMPFIRE_CABLE_CHANNEL_HEARTBEAT },
    { ngx_string("UnreadRoomsChannel"), NGX_CAMPFIRE_CABLE_CHANNEL_UNREADS },
    { ngx_string("ReadRoomsChannel"), NGX_CAMPFIRE_CABLE_CHANNEL_READS },
    { ngx_string("Turbo::StreamsChannel"),
      NGX_CAMPFIRE_CABLE_CHANNEL_TURBO },
    { ngx_string("RoomChannel"), NGX_CAMPFIRE_CABLE_CHANNEL_ROOM },
    { ngx_string("ApplicationCable::Channel"),
      NGX_CAMPFIRE_CABLE_CHANNEL_PLAIN },
    { ngx_null_string, 0 }
};


static ngx_uint_t
ngx_campfire_cable_channel_is(ngx_str_t *text, const char *word)
{
    size_t  len;

    len = ngx_strlen(word);

    return text->len == len && ngx_memcmp(text->data, word, len) == 0;
}


void
ngx_campfire_cable_channel_command(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_str_t *text)
{
    ngx_str_t                      action;
    ngx_campfire_cable_sub_t      *sub;
    ngx_campfire_cable_command_t   command;

    if (ngx_campfire_cable_protocol_command(pool, text, &command) != NGX_OK) {
        return;
    }

    switch (command.command) {

    case NGX_CAMPFIRE_CABLE_SUBSCRIBE:
        ngx_campfire_cable_channel_subscribe(s, pool, &command.identifier);
        return;

    case NGX_CAMPFIRE_CABLE_UNSUBSCRIBE:
        sub = ngx_campfire_cable_channel_find(s, &command.identifier);

        if (sub) {
            ngx_campfire_cable_channel_remove(sub);
            ngx_campfire_cable_wake();
        }

        return;

    case NGX_CAMPFIRE_CABLE_MESSAGE:
        sub = ngx_campfire_cable_channel_find(s, &command.identifier);

        if (sub == NULL || command.data.data == NULL
            || ngx_campfire_cable_protocol_action(pool, &command.data,
                                                  &action)
               != NGX_OK)
        {
            return;
        }

        ngx_campfire_cable_channel_perform(sub, pool, &action);
        return;
    }
}


static ngx_campfire_cable_sub_t *
ngx_campfire_cable_channel_find(ngx_campfire_cable_socket_t *s,
    ngx_str_t *identifier)
{
    ngx_queue_t               *q;
    ngx_campfire_cable_sub_t  *sub;

    for (q = ngx_queue_head(&s->subs);
         q != ngx_queue_sentinel(&s->subs);
         q = ngx_queue_next(q))
    {
        sub = ngx_queue_data(q, ngx_campfire_cable_sub_t, queue);

        if (sub->identifier.len == identifier->len
            && ngx_memcmp(sub->identifier.data, identifier->data,
                          identifier->len)
               == 0)
        {
            return sub;
        }
    }

    return NULL;
}


static ngx_campfire_cable_sub_t *
ngx_campfire_cable_channel_create(ngx_campfire_cable_socket_t *s,
    ngx_str_t *identifier, ngx_campfire_cable_channel_e channel)
{
    u_char                    *p;
    ngx_campfire_cable_sub_t  *sub;

    sub = ngx_calloc(sizeof(ngx_campfire_cable_sub_t) + identifier->len,
                     s->cable->log);
    if (sub == NULL) {
        return NULL;
    }

    p = (u_char *) sub + sizeof(ngx_campfire_cable_sub_t);
    ngx_memcpy(p, identifier->data, identifier->len);

    sub->identifier.data = p;
    sub->identifier.len = identifier->len;
    sub->socket = s;
    sub->channel = channel;

    ngx_queue_insert_tail(&s->subs, &sub->queue);
    s->nsubs++;

    (void) ngx_atomic_fetch_add(
        &s->cable->instance->sh->slots[ngx_campfire_shm_slot()].subscriptions,
        1);

    return sub;
}


void
ngx_campfire_cable_channel_remove(ngx_campfire_cable_sub_t *sub)
{
    ngx_campfire_cable_socket_t  *s;

    s = sub->socket;

    ngx_campfire_cable_registry_remove(s->cable, sub);
    ngx_campfire_cable_channel_left(sub);

    ngx_queue_remove(&sub->queue);
    s->nsubs--;

    (void) ngx_atomic_fetch_add(
        &s->cable->instance->sh->slots[ngx_campfire_shm_slot()].subscriptions,
        -1);

    if (sub->writing) {
        sub->socket = NULL;
        return;
    }

    ngx_free(sub);
}


static void
ngx_campfire_cable_channel_subscribe(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_str_t *identifier)
{
    int64_t                              room_id;
    ngx_int_t                            rc;
    ngx_str_t                            stream;
    ngx_campfire_room_type_e             type;
    ngx_campfire_cable_sub_t            *sub;
    ngx_campfire_cable_identifier_t      id;
    const ngx_campfire_cable_channel_t  *c;

    if (ngx_campfire_cable_channel_find(s, identifier)) {
        return;
    }

    if (identifier->len > NGX_CAMPFIRE_CABLE_PROTOCOL_IDENTIFIER
        || s->nsubs >= NGX_CAMPFIRE_CABLE_SUBSCRIPTIONS)
    {
        ngx_campfire_cable_channel_answer(s, identifier, 0);
        return;
    }

    if (ngx_campfire_cable_protocol_identifier(pool, identifier, &id)
        != NGX_OK)
    {
        return;
    }

    for (c = ngx_campfire_cable_channels; c->name.len; c++) {
        if (c->name.len == id.channel.len
            && ngx_memcmp(c->name.data, id.channel.data, c->name.len) == 0)
        {
            break;
        }
    }

    if (c->name.len == 0) {
        return;
    }

    rc = ngx_campfire_cable_channel_stream(s, pool, c->channel, &id, &stream,
                                           &room_id, &type);

    if (rc != NGX_OK) {
        ngx_campfire_cable_channel_answer(s, identifier, 0);
        return;
    }

    sub = ngx_campfire_cable_channel_create(s, identifier, c->channel);
    if (sub == NULL) {
        ngx_campfire_cable_channel_answer(s, identifier, 0);
        return;
    }

    sub->room_id = room_id;

    if (stream.len) {

        /* of unread marks there is one record for many users */

        if (c->channel == NGX_CAMPFIRE_CABLE_CHANNEL_UNREADS) {
            ngx_str_t  unreads = ngx_string("unreads");

            ngx_campfire_shm_filter_add(s->cable->instance->sh,
                                        ngx_campfire_shm_hash(&unreads));

        } else {
            ngx_campfire_shm_filter_add(s->cable->instance->sh,
                                        ngx_campfire_shm_hash(&stream));
        }

        rc = ngx_campfire_cable_registry_add(s->cable, sub, &stream);

        /* what was published since may have passed us by */
        ngx_campfire_cable_wake();
    }

    if (rc == NGX_OK) {
        rc = ngx_campfire_cable_channel_allowed(s, pool, c->channel, room_id,
                                                type);
    }

    if (rc != NGX_OK) {
        ngx_campfire_cable_channel_answer(s, identifier, 0);
        ngx_campfire_cable_channel_remove(sub);
        return;
    }

    switch (c->channel) {

    case NGX_CAMPFIRE_CABLE_CHANNEL_PRESENCE:

        /* confirmed when it is written down */

        if (ngx_campfire_cable_channel_presence(sub,
                                       ngx_campfire_model_membership_present,
                                       ngx_campfire_cable_channel_present, 0)
            != NGX_OK)
        {
            ngx_campfire_cable_channel_answer(s, identifier, 0);
            ngx_campfire_cable_channel_remove(sub);
        }

        return;

    case NGX_CAMPFIRE_CABLE_CHANNEL_HEARTBEAT:
        s->deferred = 1;
        return;

    default:
        ngx_campfire_cable_channel_confirm(sub);
    }
}


/*
 * The internal name of the stream, empty if the channel has none, and the
 * room whose members may read it (0: everybody).  NGX_DECLINED: to be
 * rejected.
 */
static ngx_int_t
ngx_campfire_cable_channel_stream(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_campfire_cable_channel_e channel,
    ngx_campfire_cable_identifier_t *id, ngx_str_t *stream, int64_t *room_id,
    ngx_campfire_room_type_e *type)
{
    ngx_str_t   name, class_name, what;
    ngx_uint_t  i;

    ngx_str_null(stream);
    *room_id = 0;
    *type = NGX_CAMPFIRE_ROOM_OPEN;

    stream->data = ngx_pnalloc(pool, sizeof("messages:") + NGX_INT64_LEN);
    if (stream->data == NULL) {
        return NGX_ERROR;
    }

    switch (channel) {

    case NGX_CAMPFIRE_CABLE_CHANNEL_PLAIN:
    case NGX_CAMPFIRE_CABLE_CHANNEL_HEARTBEAT:
        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_CHANNEL_UNREADS:
        stream->len = ngx_sprintf(stream->data, "unreads:%L", s->user_id)
                      - stream->data;
        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_CHANNEL_READS:
        stream->len = ngx_sprintf(stream->data, "reads:%L", s->user_id)
                      - stream->data;
        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_CHANNEL_PRESENCE:
    case NGX_CAMPFIRE_CABLE_CHANNEL_ROOM:
    case NGX_CAMPFIRE_CABLE_CHANNEL_TYPING:

        if (!id->has_room_id || id->room_id <= 0) {
            return NGX_DECLINED;
        }

        *room_id = id->room_id;

        if (channel == NGX_CAMPFIRE_CABLE_CHANNEL_TYPING) {
            stream->len = ngx_sprintf(stream->data, "typing:%L", *room_id)
                          - stream->data;
        }

        return NGX_OK;

    case NGX_CAMPFIRE_CABLE_CHANNEL_MESSAGES:
    case NGX_CAMPFIRE_CABLE_CHANNEL_TURBO:
        break;
    }

    if (id->signed_stream_name.data == NULL
        || ngx_campfire_rails_stream_verify(
               &s->cable->instance->signers.turbo_stream, pool,
               &id->signed_stream_name, &name)
           != NGX_OK)
    {
        return NGX_DECLINED;
    }

    if (channel == NGX_CAMPFIRE_CABLE_CHANNEL_TURBO) {
        return ngx_campfire_cable_channel_turbo(s, pool, &name, stream);
    }

    if (ngx_campfire_rails_stream_split(pool, &name, &class_name, room_id,
                                        &what)
        != NGX_OK
        || !ngx_campfire_cable_channel_is(&what, "messages"))
    {
        return NGX_DECLINED;
    }

    for (i = 0; i < 3; i++) {
        if (class_name.len == ngx_campfire_model_room_classes[i].len
            && ngx_memcmp(class_name.data,
                          ngx_campfire_model_room_classes[i].data,
                          class_name.len)
               == 0)
        {
            *type = i;
            stream->len = ngx_sprintf(stream->data, "messages:%L", *room_id)
                          - stream->data;
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}


/* Any signed name but those of room messages and of other people. */
static ngx_int_t
ngx_campfire_cable_channel_turbo(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_str_t *name, ngx_str_t *stream)
{
    u_char     *colon;
    int64_t     id;
    ngx_str_t   class_name, what;

    if (ngx_campfire_cable_channel_is(name, "rooms")) {
        *stream = *name;
        return NGX_OK;
    }

    colon = ngx_strlchr(name->data, name->data + name->len, ':');

    if (colon) {
        what.data = colon + 1;
        what.len = name->data + name->len - what.data;

        if (ngx_campfire_cable_channel_is(&what, "messages")) {
            return NGX_DECLINED;
        }
    }

    if (ngx_campfire_rails_stream_split(pool, name, &class_name, &id, &what)
        == NGX_OK
        && ngx_campfire_cable_channel_is(&class_name, "User"))
    {
        if (id != s->user_id) {
            return NGX_DECLINED;
        }

        if (ngx_campfire_cable_channel_is(&what, "rooms")) {
            stream->len = ngx_sprintf(stream->data, "rooms:%L", id)
                          - stream->data;
            return NGX_OK;
        }
    }

    /* nothing of ours is sent there, but the signature is good */

    stream->len = sizeof("turbo:") - 1 + name->len;
    stream->data = ngx_pnalloc(pool, stream->len);
    if (stream->data == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(stream->data, "turbo:%V", name);

    return NGX_OK;
}


static ngx_int_t
ngx_campfire_cable_channel_allowed(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool, ngx_campfire_cable_channel_e channel, int64_t room_id,
    ngx_campfire_room_type_e type)
{
    ngx_int_t                rc;
    ngx_campfire_room_t      room;
    ngx_campfire_db_conn_t  *conn;

    if (room_id == 0) {
        return NGX_OK;
    }

    conn = s->cable->instance->db->read;

    rc = ngx_campfire_db_begin_read(conn);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_room_find(conn, pool, s->user_id, room_id, &room,
                                      NULL);

    ngx_campfire_db_end_read(conn);

    if (rc == NGX_OK && channel == NGX_CAMPFIRE_CABLE_CHANNEL_MESSAGES
        && room.type != type)
    {
        return NGX_DECLINED;
    }

    return rc;
}


static void
ngx_campfire_cable_channel_confirm(ngx_campfire_cable_sub_t *sub)
{
    sub->confirmed = 1;
    ngx_campfire_cable_channel_answer(sub->socket, &sub->identifier, 1);
}


static void
ngx_campfire_cable_channel_answer(ngx_campfire_cable_socket_t *s,
    ngx_str_t *identifier, ngx_uint_t confirmed)
{
    ngx_pool_t                  *pool;
    ngx_campfire_buf_t           out;
    ngx_campfire_cable_bytes_t  *bytes;

    pool = ngx_create_pool(1024, s->cable->log);
    if (pool == NULL) {
        return;
    }

    ngx_campfire_base_buf_init(&out, pool, 2 * identifier->len + 64);

    if (confirmed) {
        ngx_campfire_cable_protocol_confirm(&out, *identifier);

    } else {
        ngx_campfire_cable_protocol_reject(&out, *identifier);
    }

    bytes = ngx_campfire_cable_socket_text(&out, s->cable->log);

    if (bytes) {
        ngx_campfire_cable_socket_send(s, bytes);
        ngx_campfire_cable_socket_release(bytes);
    }

    ngx_destroy_pool(pool);
}


/*
 * The confirmation of a heartbeat makes the page load what it has missed, so
 * all streams that were asked for with it must be live before.
 */
void
ngx_campfire_cable_channel_deferred(ngx_campfire_cable_socket_t *s,
    ngx_pool_t *pool)
{
    ngx_queue_t               *q;
    ngx_campfire_cable_sub_t  *sub;

    s->deferred = 0;

    for (q = ngx_queue_head(&s->subs);
         q != ngx_queue_sentinel(&s->subs);
         q = ngx_queue_next(q))
    {
        sub = ngx_queue_data(q, ngx_campfire_cable_sub_t, queue);

        if (sub->channel == NGX_CAMPFIRE_CABLE_CHANNEL_HEARTBEAT
            && !sub->confirmed)
        {
            ngx_campfire_cable_channel_confirm(sub);
        }
    }
}


static void
ngx_campfire_cable_channel_perform(ngx_campfire_cable_sub_t *sub,
    ngx_pool_t *pool, ngx_str_t *action)
{
    if (!sub->confirmed && !sub->writing) {
        return;
    }

    if (sub->channel == NGX_CAMPFIRE_CABLE_CHANNEL_TYPING) {
        if (ngx_campfire_cable_channel_is(action, "start")
            || ngx_campfire_cable_channel_is(action, "stop"))
        {
            ngx_campfire_cable_channel_typing(sub, pool, action);
        }

        return;
    }

    if (sub->channel != NGX_CAMPFIRE_CABLE_CHANNEL_PRESENCE) {
        return;
    }

    if (ngx_campfire_cable_channel_is(action, "present")) {
        (void) ngx_campfire_cable_channel_presence(sub,
                              ngx_campfire_model_membership_present,
                              ngx_campfire_db_writer_free, sub->counted);

    } else if (ngx_campfire_cable_channel_is(action, "refresh")) {
        (void) ngx_campfire_cable_channel_presence(sub,
                              ngx_campfire_model_membership_refresh,
                              ngx_campfire_db_writer_free, sub->counted);

    } else if (ngx_campfire_cable_channel_is(action, "absent")) {
        ngx_campfire_cable_channel_left(sub);
        ngx_campfire_cable_wake();
    }
}


/* Presence through the writer; what was posted first is written first. */
static ngx_int_t
ngx_campfire_cable_channel_presence(ngx_campfire_cable_sub_t *sub,
    ngx_campfire_write_pt write, ngx_campfire_job_done_pt done,
    ngx_uint_t counted)
{
    ngx_campfire_job_t                             *job;
    ngx_campfire_cable_socket_t                    *s;
    ngx_campfire_model_membership_presence_args_t  *args;

    s = sub->socket;

    /* who left and comes back is written down in that order */
    ngx_campfire_cable_channel_absent(s->cable);

    job = ngx_campfire_db_writer_job(s->cable->instance);
    if (job == NULL) {
        return NGX_ERROR;
    }

    args = ngx_pcalloc(job->pool,
                       sizeof(ngx_campfire_model_membership_presence_args_t));
    if (args == NULL) {
        ngx_campfire_db_writer_free(job);
        return NGX_ERROR;
    }

    args->room_id = sub->room_id;
    args->viewer_id = s->user_id;
    args->counted = counted;

    job->write = write;
    job->args = args;
    job->done = done;
    job->data = sub;

    if (ngx_campfire_db_writer_post(job) != NGX_OK) {
        return NGX_BUSY;
    }

    sub->counted = 1;

    if (done == ngx_campfire_cable_channel_present) {
        sub->writing = 1;
    }

    return NGX_OK;
}


static void
ngx_campfire_cable_channel_present(ngx_campfire_job_t *job)
{
    ngx_int_t                  rc;
    ngx_campfire_cable_sub_t  *sub;

    sub = job->data;
    rc = job->rc;

    ngx_campfire_db_writer_free(job);

    sub->writing = 0;

    if (sub->socket == NULL) {
        ngx_free(sub);
        return;
    }

    if (rc == NGX_OK) {
        ngx_campfire_cable_channel_confirm(sub);
        return;
    }

    /* refused, or not written: the client asks again */

    sub->counted = 0;
    ngx_campfire_cable_channel_answer(sub->socket, &sub->identifier, 0);
    ngx_campfire_cable_channel_remove(sub);
}


/* Counted once, taken back once. */
static void
ngx_campfire_cable_channel_left(ngx_campfire_cable_sub_t *sub)
{
    ngx_campfire_cable_t                           *cable;
    ngx_campfire_model_membership_presence_args_t  *args;

    if (!sub->counted) {
        return;
    }

    sub->counted = 0;
    cable = sub->socket->cable;

    if (cable->absent == NULL) {
        cable->absent_pool = ngx_create_pool(1024, cable->log);
        if (cable->absent_pool == NULL) {
            return;
        }

        cable->absent = ngx_array_create(cable->absent_pool, 8,
                      sizeof(ngx_campfire_model_membership_presence_args_t));

        if (cable->absent == NULL) {
            ngx_destroy_pool(cable->absent_pool);
            cable->absent_pool = NULL;
            return;
        }
    }

    args = ngx_array_push(cable->absent);

    if (args) {
        args->room_id = sub->room_id;
        args->viewer_id = sub->socket->user_id;
        args->counted = 0;
    }
}


/* All who left in this turn of the loop, in one job. */
void
ngx_campfire_cable_channel_absent(ngx_campfire_cable_t *cable)
{
    size_t                                            size;
    ngx_campfire_job_t                               *job;
    ngx_campfire_model_membership_absent_all_args_t  *args;

    if (cable->absent == NULL) {
        return;
    }

    job = ngx_campfire_db_writer_job(cable->instance);

    if (job) {
        size = cable->absent->nelts
               * sizeof(ngx_campfire_model_membership_presence_args_t);

        args = ngx_palloc(job->pool,
                     sizeof(ngx_campfire_model_membership_absent_all_args_t)
                     + size);

        if (args) {
            args->nelts = cable->absent->nelts;
            args->elts = (void *) (args + 1);
            ngx_memcpy(args->elts, cable->absent->elts, size);

            job->write = ngx_campfire_model_membership_absent_all;
            job->args = args;
            job->done = ngx_campfire_db_writer_free;

            /* if the queue is full, presence runs out by itself */
            (void) ngx_campfire_db_writer_post(job);

        } else {
            ngx_campfire_db_writer_free(job);
        }
    }

    ngx_destroy_pool(cable->absent_pool);

    cable->absent = NULL;
    cable->absent_pool = NULL;
}


static void
ngx_campfire_cable_channel_typing(ngx_campfire_cable_sub_t *sub,
    ngx_pool_t *pool, ngx_str_t *action)
{
    u_char                   buf[sizeof("typing:") + NGX_INT64_LEN];
    ngx_int_t                rc;
    ngx_str_t                stream, message;
    ngx_campfire_buf_t       out;
    ngx_campfire_user_t      user;
    ngx_campfire_db_conn_t  *conn;

    conn = sub->socket->cable->instance->db->read;

    rc = ngx_campfire_db_begin_read(conn);

    if (rc == NGX_OK) {
        rc = ngx_campfire_model_user_find(conn, pool, sub->socket->user_id,
                                          &user);
        ngx_campfire_db_end_read(conn);
    }

    if (rc != NGX_OK) {
        return;
    }

    ngx_campfire_base_buf_init(&out, pool, 256);
    ngx_campfire_base_buf_lit(&out, "{\"action\":\"");
    ngx_campfire_base_buf_str(&out, *action);
    ngx_campfire_base_buf_lit(&out, "\",\"user\":{\"id\":");
    ngx_campfire_base_buf_int(&out, user.id);
    ngx_campfire_base_buf_lit(&out, ",\"name\":\"");
    ngx_campfire_base_buf_json(&out, user.name);
    ngx_campfire_base_buf_lit(&out, "\"}}");

    if (ngx_campfire_base_buf_done(&out, &message) != NGX_OK) {
        return;
    }

    stream.data = buf;
    stream.len = ngx_sprintf(buf, "typing:%L", sub->room_id) - buf;

    (void) ngx_campfire_cable_publish_json(sub->socket->cable->instance,
                                           &stream, &message);
}
