
/*
 * What a page has missed while it was away (cable.md §10).
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_room.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_action_refreshes_show(ngx_campfire_ctx_t *ctx)
{
    int64_t                              id, since;
    ngx_int_t                            rc;
    ngx_str_t                            body, key, *text;
    ngx_uint_t                           i;
    ngx_campfire_buf_t                   out;
    ngx_campfire_room_t                  room;
    ngx_campfire_messages_t              created, updated;
    ngx_campfire_view_messages_t         messages;
    ngx_campfire_model_message_reader_t  reader;

    rc = ngx_campfire_http_id(ctx, 0, &id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_room_find(ctx->conn, ctx->pool, ctx->user->id, id,
                                      &room, NULL);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_STREAM) == 0) {
        return NGX_CAMPFIRE_HTTP_NOT_ACCEPTABLE;
    }

    since = 0;
    text = ngx_campfire_http_param(ctx, "since");

    if (text == NULL || text->len > 15
        || ngx_campfire_http_parse_id(text, &since) != NGX_OK)
    {
        since = 0;
    }

    reader.conn = ctx->conn;
    reader.pool = ctx->pool;
    reader.signers = &ctx->instance->signers;
    reader.base_url = &ctx->base_url;

    rc = ngx_campfire_model_message_refresh(&reader, id, since * 1000,
                                            &created, &updated);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);

    if (created.nelts) {
        if (ngx_campfire_view_messages_init(&ctx->view, &created, &messages)
            != NGX_OK
            || ngx_campfire_view_room_key(ctx->pool, room.type, room.id, &key)
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        ngx_campfire_view_stream_messages_append(&ctx->view, &out, key,
                                                 messages);
    }

    if (updated.nelts
        && ngx_campfire_view_messages_init(&ctx->view, &updated, &messages)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    for (i = 0; i < updated.nelts; i++) {
        ngx_campfire_view_stream_message_refresh(&ctx->view, &out,
                                                 &messages.elts[i]);
    }

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/vnd.turbo-stream.html; charset=utf-8",
                                  &body);
}
