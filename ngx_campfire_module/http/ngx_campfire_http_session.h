
/*
 * The three cookies: session_token, last_room and _campfire_session.
 */

#ifndef _NGX_CAMPFIRE_HTTP_SESSION_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_SESSION_H_INCLUDED_


#include "http/ngx_campfire_http.h"
#include "http/ngx_campfire_http_request.h"


/*
 * Reads session_token and finds its session and user: NGX_OK, NGX_DECLINED
 * (nobody), or an error of the database.
 */
ngx_int_t ngx_campfire_http_session_find(ngx_campfire_ctx_t *ctx);

/* The verified token of the cookie session_token; NGX_DECLINED: none. */
ngx_int_t ngx_campfire_http_session_token(ngx_campfire_ctx_t *ctx,
    ngx_str_t *token);

/* The token and the flash of ctx->view. */
ngx_int_t ngx_campfire_http_session_view(ngx_campfire_ctx_t *ctx);

/* Adds the Set-Cookie lines the answer needs, in the order Rails has. */
ngx_int_t ngx_campfire_http_session_cookies(ngx_campfire_ctx_t *ctx);

/*
 * Whether this write may proceed (auth.md §7.3): NGX_OK, or 422.
 */
ngx_int_t ngx_campfire_http_session_verify_csrf(ngx_campfire_ctx_t *ctx);


#endif /* _NGX_CAMPFIRE_HTTP_SESSION_H_INCLUDED_ */
