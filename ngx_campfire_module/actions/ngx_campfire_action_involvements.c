
/*
 * The bell of a room.
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_membership.h"
#include "models/ngx_campfire_model_room.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_involvements_updated(
    ngx_campfire_ctx_t *ctx);


ngx_int_t
ngx_campfire_action_involvements_show(ngx_campfire_ctx_t *ctx)
{
    int64_t                          id;
    ngx_int_t                        rc;
    ngx_campfire_buf_t               out;
    ngx_campfire_room_t              room;
    ngx_campfire_membership_t        membership;
    ngx_campfire_view_page_t         page;
    ngx_campfire_view_involvement_t  involvement;

    rc = ngx_campfire_http_id(ctx, 0, &id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_room_find(ctx->conn, ctx->pool, ctx->user->id, id,
                                      &room, &membership);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_page_init(&ctx->view, NULL, NULL, &page) != NGX_OK
        || ngx_campfire_view_room_involvement_init(&ctx->view, &room,
                                                   membership.involvement,
                                                   &involvement)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 4096);
    ngx_campfire_view_involvements_show(&ctx->view, &out, &page,
                                        &involvement);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_involvements_update(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                                      rc;
    ngx_str_t                                     *text;
    ngx_campfire_model_membership_involve_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_membership_involve_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_http_id(ctx, 0, &args->room_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_membership_exists(ctx->conn, args->room_id,
                                              ctx->user->id);
    if (rc != NGX_OK) {
        return rc;
    }

    text = ngx_campfire_http_param(ctx, "involvement");

    if (text == NULL
        || ngx_campfire_model_involvement_parse(text, &args->involvement)
           != NGX_OK)
    {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    args->viewer_id = ctx->user->id;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_membership_involve,
                                   args, NULL,
                                   ngx_campfire_action_involvements_updated);
}


static ngx_int_t
ngx_campfire_action_involvements_updated(ngx_campfire_ctx_t *ctx)
{
    int64_t  id;

    (void) ngx_campfire_http_id(ctx, 0, &id);

    return ngx_campfire_http_redirect_to(ctx, "/rooms/%L/involvement", id);
}
