
/*
 * The root: on to the room one was in last.
 */

#include "actions/ngx_campfire_action.h"
#include "http/ngx_campfire_http_request.h"
#include "models/ngx_campfire_model_room.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_action_welcome_show(ngx_campfire_ctx_t *ctx)
{
    int64_t                   last, id;
    ngx_int_t                 rc;
    ngx_str_t                 cookie;
    ngx_campfire_buf_t        out;
    ngx_campfire_view_page_t  page;
    static ngx_str_t          title = ngx_string("No rooms yet");

    last = 0;

    if (ngx_campfire_http_request_cookie(ctx->request, "last_room", &cookie)
        == NGX_OK)
    {
        (void) ngx_campfire_http_parse_id(&cookie, &last);
    }

    rc = ngx_campfire_model_room_default(ctx->conn, ctx->user->id, last, &id);

    if (rc == NGX_OK) {
        return ngx_campfire_http_redirect_to(ctx, "/rooms/%L", id);
    }

    if (rc != NGX_DECLINED) {
        return rc;
    }

    rc = ngx_campfire_http_view_init(ctx);
    if (rc != NGX_OK) {
        return rc;
    }

    if (ngx_campfire_view_page_init(&ctx->view, &title, "sidebar", &page)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_base_buf_init(&out, ctx->pool, 8192);
    ngx_campfire_view_welcome_show(&ctx->view, &out, &page);

    return ngx_campfire_http_send_html(ctx, NGX_HTTP_OK, &out);
}
