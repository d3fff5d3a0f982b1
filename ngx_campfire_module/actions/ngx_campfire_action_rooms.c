
/*
 * Rooms: the way to one, and its page.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_page.h"
#include "models/ngx_campfire_model_message.h"
#include "models/ngx_campfire_model_room.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_rooms_messages(ngx_campfire_ctx_t *ctx,
    int64_t room_id, ngx_campfire_html_t *html);
static ngx_int_t ngx_campfire_action_rooms_welcome(ngx_campfire_ctx_t *ctx,
    ngx_campfire_view_room_t *room);


ngx_int_t
ngx_campfire_action_rooms_index(ngx_campfire_ctx_t *ctx)
{
    int64_t    id;
    ngx_int_t  rc;

    rc = ngx_campfire_model_room_newest(ctx->conn, ctx->user->id, &id);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_redirect(ctx, "/");
    }

    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_http_redirect_to(ctx, "/rooms/%L", id);
}


ngx_int_t
ngx_campfire_action_rooms_show(ngx_campfire_ctx_t *ctx)
{
    int64_t                    id;
    ngx_int_t                  rc;
    ngx_str_t                  name;
    ngx_campfire_buf_t         out;
    ngx_campfire_room_t        row;
    ngx_campfire_html_t        messages;
    ngx_campfire_view_room_t   room;

    rc = ngx_campfire_http_id(ctx, 0, &id);

    if (rc == NGX_OK) {
        rc = ngx_campfire_model_room_find(ctx->conn, ctx->pool, ctx->user->id,
                                          id, &row, NULL);
    }

    if (rc == NGX_DECLINED) {
        if (ngx_campfire_http_flash(ctx, "alert",
                                    "Room not found or inaccessible")
            != NGX_OK)
        {
            return NGX_ERROR;
        }

        return ngx_campfire_http_redirect(ctx, "/");
    }

    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_room_display_name(ctx->conn, ctx->pool, &row,
                                              ctx->user->id, &name);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_action_rooms_messages(ctx, id, &messages);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_room_init(&ctx->view, &row, &name, &room)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    room.messages = messages;

    rc = ngx_campfire_action_rooms_welcome(ctx, &room);
    if (rc != NGX_OK) {
        return rc;
    }

    ctx->last_room = id;

    ngx_campfire_base_buf_init(&out, ctx->pool, messages.str.len + 32768);
    ngx_campfire_view_rooms_show(&ctx->view, &out, &room);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


/* Around the message of a permalink, if it is in the room; else the last. */
static ngx_int_t
ngx_campfire_action_rooms_messages(ngx_campfire_ctx_t *ctx, int64_t room_id,
    ngx_campfire_html_t *html)
{
    int64_t     id, updated_at;
    ngx_int_t   rc;
    ngx_str_t  *text;

    text = ctx->params[1].len ? &ctx->params[1]
                              : ngx_campfire_http_param(ctx, "message_id");

    if (text && ngx_campfire_http_parse_id(text, &id) == NGX_OK) {
        rc = ngx_campfire_action_page(ctx, room_id,
                                      NGX_CAMPFIRE_ACTION_PAGE_AROUND, id,
                                      html, &updated_at);
        if (rc != NGX_DECLINED) {
            return rc;
        }
    }

    return ngx_campfire_action_page(ctx, room_id,
                                    NGX_CAMPFIRE_ACTION_PAGE_LAST, 0, html,
                                    &updated_at);
}


/* The card stands above the first page of the first room. */
static ngx_int_t
ngx_campfire_action_rooms_welcome(ngx_campfire_ctx_t *ctx,
    ngx_campfire_view_room_t *room)
{
    int64_t     oldest;
    ngx_int_t   rc;
    ngx_uint_t  paged;

    if (ctx->account == NULL) {
        return NGX_OK;
    }

    rc = ngx_campfire_model_room_oldest(ctx->conn, &oldest);

    if (rc == NGX_DECLINED || (rc == NGX_OK && oldest != room->id)) {
        return NGX_OK;
    }

    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_paged(ctx->conn, room->id, &paged);
    if (rc != NGX_OK || paged) {
        return rc;
    }

    room->welcome = 1;

    return ngx_campfire_view_room_invite_init(&ctx->view, &room->invite);
}
