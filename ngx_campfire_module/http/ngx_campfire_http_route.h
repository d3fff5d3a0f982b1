
/*
 * The route table: every path of the product, in the order of precedence.
 */

#ifndef _NGX_CAMPFIRE_HTTP_ROUTE_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_ROUTE_H_INCLUDED_


#include "http/ngx_campfire_http.h"


/*
 * Finds the row for ctx->method (HEAD counts as GET) and ctx->path and sets
 * ctx->route, ctx->params and ctx->suffix.  NGX_DECLINED: no such route, or
 * one that is declared and has no action.
 */
ngx_int_t ngx_campfire_http_route_find(ngx_campfire_ctx_t *ctx);

/* The pattern a path without its query belongs to, or an empty string. */
void ngx_campfire_http_route_pattern(const ngx_str_t *path,
    ngx_str_t *pattern);


#endif /* _NGX_CAMPFIRE_HTTP_ROUTE_H_INCLUDED_ */
