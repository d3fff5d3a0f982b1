
/*
 * The viewer's sidebar.
 */

#include "actions/ngx_campfire_action.h"
#include "models/ngx_campfire_model_sidebar.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_action_sidebars_show(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t                    rc;
    ngx_campfire_buf_t           out;
    ngx_campfire_sidebar_t       rows;
    ngx_campfire_view_page_t     page;
    ngx_campfire_view_sidebar_t  sidebar;

    rc = ngx_campfire_model_sidebar_load(ctx->conn, ctx->pool, ctx->user->id,
                                         &rows);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ctx->account == NULL) {
        return NGX_DECLINED;
    }

    if (ngx_campfire_view_page_init(&ctx->view, NULL, NULL, &page) != NGX_OK
        || ngx_campfire_view_sidebar_init(&ctx->view, &rows, &sidebar)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 32768);
    ngx_campfire_view_sidebars_show(&ctx->view, &out, &page, &sidebar);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}
