
/*
 * Pictures of people.
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_user.h"
#include "rails/ngx_campfire_rails_signed_id.h"
#include "views/ngx_campfire_view_asset.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_action_avatars_show(ngx_campfire_ctx_t *ctx)
{
    int64_t                            id;
    ngx_int_t                          rc;
    ngx_str_t                          body;
    ngx_campfire_buf_t                 out;
    ngx_campfire_user_t                user;
    ngx_campfire_view_initials_t       initials;
    const ngx_campfire_view_asset_t   *asset;
    static ngx_str_t                   policy =
               ngx_string("max-age=1800, public, "
                          "stale-while-revalidate=604800");

    rc = ngx_campfire_rails_signed_id_verify(
             &ctx->instance->signers.signed_id, ctx->pool, &ctx->params[0],
             NGX_CAMPFIRE_RAILS_SIGNED_ID_AVATAR, ctx->now, &id);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_NOT_FOUND);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_model_user_find(ctx->conn, ctx->pool, id, &user);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_http_public(ctx, &policy) != NGX_OK) {
        return NGX_ERROR;
    }

    if (user.role == NGX_CAMPFIRE_ROLE_BOT) {
        asset = ngx_campfire_view_asset("images/default-bot-avatar.svg");
        if (asset == NULL) {
            return NGX_ERROR;
        }

        body = asset->data;

        return ngx_campfire_http_send(ctx, NGX_HTTP_OK, "image/svg+xml",
                                      &body);
    }

    if (ngx_campfire_view_avatar_initials_init(&ctx->view, &user, &initials)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 1024);
    ngx_campfire_view_avatar_initials(&ctx->view, &out, &initials);

    if (ngx_campfire_base_buf_done(&out, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "image/svg+xml; charset=utf-8", &body);
}
