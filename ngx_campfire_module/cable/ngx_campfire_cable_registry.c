
/*
 * Streams, and who reads them in this worker.
 */

#include "cable/ngx_campfire_cable.h"


static ngx_campfire_cable_group_t *ngx_campfire_cable_registry_group(
    ngx_campfire_cable_stream_t *stream, ngx_str_t *identifier);


ngx_campfire_cable_stream_t *
ngx_campfire_cable_registry_find(ngx_campfire_cable_t *cable,
    ngx_str_t *stream)
{
    return (ngx_campfire_cable_stream_t *)
               ngx_str_rbtree_lookup(&cable->streams, stream,
                                     ngx_crc32_short(stream->data,
                                                     stream->len));
}


static ngx_campfire_cable_group_t *
ngx_campfire_cable_registry_group(ngx_campfire_cable_stream_t *stream,
    ngx_str_t *identifier)
{
    ngx_queue_t                 *q;
    ngx_campfire_cable_group_t  *group;

    for (q = ngx_queue_head(&stream->groups);
         q != ngx_queue_sentinel(&stream->groups);
         q = ngx_queue_next(q))
    {
        group = ngx_queue_data(q, ngx_campfire_cable_group_t, queue);

        if (group->identifier.len == identifier->len
            && ngx_memcmp(group->identifier.data, identifier->data,
                          identifier->len)
               == 0)
        {
            return group;
        }
    }

    return NULL;
}


ngx_int_t
ngx_campfire_cable_registry_add(ngx_campfire_cable_t *cable,
    ngx_campfire_cable_sub_t *sub, ngx_str_t *name)
{
    u_char                       *p;
    ngx_campfire_cable_group_t   *group;
    ngx_campfire_cable_stream_t  *stream;

    stream = ngx_campfire_cable_registry_find(cable, name);

    if (stream == NULL) {
        stream = ngx_alloc(sizeof(ngx_campfire_cable_stream_t) + name->len,
                           cable->log);
        if (stream == NULL) {
            return NGX_ERROR;
        }

        p = (u_char *) stream + sizeof(ngx_campfire_cable_stream_t);
        ngx_memcpy(p, name->data, name->len);

        stream->sn.str.data = p;
        stream->sn.str.len = name->len;
        stream->sn.node.key = ngx_crc32_short(name->data, name->len);
        ngx_queue_init(&stream->groups);

        ngx_rbtree_insert(&cable->streams, &stream->sn.node);
    }

    group = ngx_campfire_cable_registry_group(stream, &sub->identifier);

    if (group == NULL) {
        group = ngx_alloc(sizeof(ngx_campfire_cable_group_t)
                          + sub->identifier.len, cable->log);

        if (group == NULL) {

            if (ngx_queue_empty(&stream->groups)) {
                ngx_rbtree_delete(&cable->streams, &stream->sn.node);
                ngx_free(stream);
            }

            return NGX_ERROR;
        }

        p = (u_char *) group + sizeof(ngx_campfire_cable_group_t);
        ngx_memcpy(p, sub->identifier.data, sub->identifier.len);

        group->identifier.data = p;
        group->identifier.len = sub->identifier.len;
        group->stream = stream;
        ngx_queue_init(&group->subs);

        ngx_queue_insert_tail(&stream->groups, &group->queue);
    }

    ngx_queue_insert_tail(&group->subs, &sub->peers);
    sub->group = group;

    return NGX_OK;
}


void
ngx_campfire_cable_registry_remove(ngx_campfire_cable_t *cable,
    ngx_campfire_cable_sub_t *sub)
{
    ngx_campfire_cable_group_t   *group;
    ngx_campfire_cable_stream_t  *stream;

    group = sub->group;

    if (group == NULL) {
        return;
    }

    stream = group->stream;

    ngx_queue_remove(&sub->peers);
    sub->group = NULL;

    if (!ngx_queue_empty(&group->subs)) {
        return;
    }

    ngx_queue_remove(&group->queue);
    ngx_free(group);

    if (ngx_queue_empty(&stream->groups)) {
        ngx_rbtree_delete(&cable->streams, &stream->sn.node);
        ngx_free(stream);
    }
}


/* The frame is made once per group and shared. */
void
ngx_campfire_cable_registry_deliver(ngx_campfire_cable_t *cable,
    ngx_str_t *name, ngx_str_t *message, ngx_pool_t *pool)
{
    ngx_uint_t                    n;
    ngx_queue_t                  *q, *p;
    ngx_campfire_buf_t            out;
    ngx_campfire_cable_sub_t     *sub;
    ngx_campfire_cable_group_t   *group;
    ngx_campfire_cable_bytes_t   *bytes;
    ngx_campfire_cable_stream_t  *stream;

    stream = ngx_campfire_cable_registry_find(cable, name);

    if (stream == NULL) {
        return;
    }

    n = 0;

    for (q = ngx_queue_head(&stream->groups);
         q != ngx_queue_sentinel(&stream->groups);
         q = ngx_queue_next(q))
    {
        group = ngx_queue_data(q, ngx_campfire_cable_group_t, queue);

        ngx_campfire_base_buf_init(&out, pool, message->len
                                               + 2 * group->identifier.len
                                               + 64);
        ngx_campfire_cable_protocol_message(&out, group->identifier,
                                            *message);

        bytes = ngx_campfire_cable_socket_text(&out, cable->log);

        for (p = ngx_queue_head(&group->subs);
             p != ngx_queue_sentinel(&group->subs);
             p = ngx_queue_next(p))
        {
            sub = ngx_queue_data(p, ngx_campfire_cable_sub_t, peers);

            if (bytes == NULL) {

                /* a frame that cannot be made is not lost in silence */
                ngx_campfire_cable_socket_disconnect(sub->socket, NULL, 1,
                                            NGX_CAMPFIRE_COUNTER_CLOSED_SLOW);

            } else if (sub->confirmed) {
                ngx_campfire_cable_socket_send(sub->socket, bytes);
                n++;
            }
        }

        if (bytes) {
            ngx_campfire_cable_socket_release(bytes);
        }
    }

    ngx_campfire_shm_add(cable->instance->sh, NGX_CAMPFIRE_COUNTER_DELIVERED,
                         n);
}
