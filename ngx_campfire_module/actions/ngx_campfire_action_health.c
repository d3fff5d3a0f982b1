
/*
 * Is it up?  That is: can the database be read?
 */

#include "actions/ngx_campfire_action.h"
#include "base/ngx_campfire_base_time.h"


ngx_int_t
ngx_campfire_action_health_show(ngx_campfire_ctx_t *ctx)
{
    u_char      *p;
    int64_t      one;
    ngx_str_t    body;
    ngx_uint_t   format, up, status;

    format = ngx_campfire_http_format(ctx, NGX_CAMPFIRE_FORMAT_HTML
                                           |NGX_CAMPFIRE_FORMAT_JSON);
    if (format == 0) {
        return NGX_CAMPFIRE_HTTP_NOT_ACCEPTABLE;
    }

    up = ctx->conn
         && ngx_campfire_db_get_int(ctx->conn, &one, "SELECT 1", "")
            == NGX_OK;

    status = up ? NGX_HTTP_OK : NGX_HTTP_INTERNAL_SERVER_ERROR;

    if (format == NGX_CAMPFIRE_FORMAT_HTML) {

        if (up) {
            ngx_str_set(&body, "<!DOCTYPE html><html><body "
                               "style=\"background-color: green\">"
                               "</body></html>");
        } else {
            ngx_str_set(&body, "<!DOCTYPE html><html><body "
                               "style=\"background-color: red\">"
                               "</body></html>");
        }

        return ngx_campfire_http_send(ctx, status,
                                      "text/html; charset=utf-8", &body);
    }

    body.data = ngx_pnalloc(ctx->pool, 64 + NGX_CAMPFIRE_BASE_TIME_LEN);
    if (body.data == NULL) {
        return NGX_ERROR;
    }

    p = ngx_sprintf(body.data, "{\"status\":\"%s\",\"timestamp\":\"",
                    up ? "up" : "down");
    p += ngx_campfire_base_time_iso(p, ctx->now);
    p = ngx_cpymem(p, "\"}", 2);
    body.len = p - body.data;

    return ngx_campfire_http_send(ctx, status,
                                  "application/json; charset=utf-8", &body);
}
