
/*
 * Taking a session along to another device by a signed link.
 */

#include "actions/ngx_campfire_action.h"
#include "actions/ngx_campfire_action_entry.h"
#include "rails/ngx_campfire_rails_signed_id.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_action_transfers_show(ngx_campfire_ctx_t *ctx)
{
    u_char                    *path;
    ngx_int_t                  rc;
    ngx_campfire_buf_t         out;
    ngx_campfire_view_entry_t  entry;

    path = ngx_pnalloc(ctx->pool, sizeof("/session/transfers/")
                                  + ctx->params[0].len);
    if (path == NULL) {
        return NGX_ERROR;
    }

    ngx_sprintf(path, "/session/transfers/%V%Z", &ctx->params[0]);

    rc = ngx_campfire_action_entry_init(ctx, "Campfire", NULL, (char *) path,
                                        &entry);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_http_form_token(ctx, (char *) path, "put",
                                     &entry.form_token)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);
    ngx_campfire_view_transfers_show(&ctx->view, &out, &entry);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}


ngx_int_t
ngx_campfire_action_transfers_update(ngx_campfire_ctx_t *ctx)
{
    int64_t    id;
    ngx_int_t  rc;

    rc = ngx_campfire_rails_signed_id_verify(
             &ctx->instance->signers.signed_id, ctx->pool, &ctx->params[0],
             NGX_CAMPFIRE_RAILS_SIGNED_ID_TRANSFER, ctx->now, &id);

    if (rc == NGX_DECLINED) {
        return ngx_campfire_http_send_head(ctx, NGX_HTTP_BAD_REQUEST);
    }

    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_campfire_action_entry_sign_in(ctx, id, NGX_HTTP_BAD_REQUEST);
}
