
/*
 * Boosts of people.
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_boost.h"
#include "models/ngx_campfire_model_message.h"
#include "ngx_campfire_views.h"


static ngx_int_t ngx_campfire_action_boosts_message(ngx_campfire_ctx_t *ctx,
    ngx_campfire_view_page_t *page, ngx_campfire_view_message_t *message);
static ngx_int_t ngx_campfire_action_boosts_created(ngx_campfire_ctx_t *ctx);
static ngx_int_t ngx_campfire_action_boosts_destroyed(
    ngx_campfire_ctx_t *ctx);


/* The message of the path, in any room of the viewer, ready to be shown. */
static ngx_int_t
ngx_campfire_action_boosts_message(ngx_campfire_ctx_t *ctx,
    ngx_campfire_view_page_t *page, ngx_campfire_view_message_t *message)
{
    int64_t                 id;
    ngx_int_t               rc;
    ngx_campfire_message_t  row;

    rc = ngx_campfire_http_id(ctx, 0, &id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_find(ctx->conn, ctx->pool, ctx->user->id,
                                         0, id, &row);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_get(ctx->conn, ctx->pool,
                                        &ctx->instance->signers,
                                        &ctx->base_url, id, &row);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_page_init(&ctx->view, NULL, NULL, page) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_view_message_init(&ctx->view, &row, message);
}


ngx_int_t
ngx_campfire_action_boosts_index(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                    rc;
    ngx_campfire_buf_t           out;
    ngx_campfire_view_page_t     page;
    ngx_campfire_view_message_t  message;

    rc = ngx_campfire_action_boosts_message(ctx, &page, &message);
    if (rc != NGX_OK) {
        return rc;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 4096);
    ngx_campfire_view_boosts_index(&ctx->view, &out, &page, &message);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_boosts_new(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                    rc;
    ngx_campfire_buf_t           out;
    ngx_campfire_view_page_t     page;
    ngx_campfire_view_avatar_t   avatar;
    ngx_campfire_view_message_t  message;

    rc = ngx_campfire_action_boosts_message(ctx, &page, &message);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_avatar_init(&ctx->view, ctx->user, &avatar)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 4096);
    ngx_campfire_view_boosts_new(&ctx->view, &out, &page, &message, &avatar);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_boosts_create(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                                rc;
    ngx_str_t                               *content;
    ngx_campfire_message_t                   message;
    ngx_campfire_model_boost_create_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_boost_create_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    rc = ngx_campfire_http_id(ctx, 0, &args->message_id);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_message_find(ctx->conn, ctx->pool, ctx->user->id,
                                         0, args->message_id, &message);
    if (rc != NGX_OK) {
        return rc;
    }

    if (!ngx_campfire_http_param_hash(ctx, "boost")) {
        return NGX_HTTP_BAD_REQUEST;
    }

    content = ngx_campfire_http_param(ctx, "boost[content]");

    if (content == NULL || content->data == NULL) {
        return NGX_CAMPFIRE_UNPROCESSABLE;
    }

    args->viewer_id = ctx->user->id;
    args->content = *content;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_boost_create, args,
                                   NULL, ngx_campfire_action_boosts_created);
}


static ngx_int_t
ngx_campfire_action_boosts_created(ngx_campfire_ctx_t *ctx)
{
    int64_t  id;

    (void) ngx_campfire_http_id(ctx, 0, &id);

    return ngx_campfire_http_redirect_to(ctx, "/messages/%L/boosts", id);
}


ngx_int_t
ngx_campfire_action_boosts_destroy(ngx_campfire_ctx_t *ctx)
{
    ngx_campfire_model_boost_destroy_args_t  *args;

    args = ngx_pcalloc(ctx->pool,
                       sizeof(ngx_campfire_model_boost_destroy_args_t));
    if (args == NULL) {
        return NGX_ERROR;
    }

    if (ngx_campfire_http_id(ctx, 0, &args->message_id) != NGX_OK
        || ngx_campfire_http_id(ctx, 1, &args->boost_id) != NGX_OK)
    {
        return NGX_DECLINED;
    }

    args->viewer_id = ctx->user->id;

    return ngx_campfire_http_write(ctx, ngx_campfire_model_boost_destroy,
                                   args, NULL,
                                   ngx_campfire_action_boosts_destroyed);
}


static ngx_int_t
ngx_campfire_action_boosts_destroyed(ngx_campfire_ctx_t *ctx)
{
    return ngx_campfire_http_send_head(ctx, NGX_HTTP_NO_CONTENT);
}
