
/*
 * Pages that never change.
 */

#include "actions/ngx_campfire_action.h"
#include "views/ngx_campfire_view_errors.h"


ngx_int_t
ngx_campfire_action_static_robots(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t  body;

    ngx_str_set(&body, "# Everything here asks for a sign-in first.\n");

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/plain; charset=utf-8", &body);
}


/* /404 and so on: the pages of failures, looked at without one. */
ngx_int_t
ngx_campfire_action_static_page(ngx_campfire_ctx_t *ctx)
{
    ngx_int_t           status;
    ngx_str_t           body;
    ngx_campfire_buf_t  out;

    status = ngx_atoi(ctx->route->pattern.data + 1, 3);

    ngx_campfire_base_buf_init(&out, ctx->pool, 4096);

    if (ngx_campfire_view_errors_page(&ctx->view, status, &out) != NGX_OK
        || ngx_campfire_base_buf_done(&out, &body) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/html; charset=utf-8", &body);
}


/* What native shells ask for after a form. */
ngx_int_t
ngx_campfire_action_static_location(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t  body;

    switch (ctx->route->pattern.data[3]) {

    case 'c':
        ngx_str_set(&body, "Going back…");
        break;

    case 's':
        ngx_str_set(&body, "Staying put…");
        break;

    default:
        ngx_str_set(&body, "Refreshing…");
    }

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK,
                                  "text/html; charset=utf-8", &body);
}
