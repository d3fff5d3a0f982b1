
/*
 * Reading a request into its context: path, method, formats, parameters.
 */

#ifndef _NGX_CAMPFIRE_HTTP_REQUEST_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_REQUEST_H_INCLUDED_


#include "http/ngx_campfire_http.h"


/*
 * Everything that does not need the route or the database.  NGX_OK, or the
 * HTTP status of a request that cannot be understood (400, 405, 413).
 */
ngx_int_t ngx_campfire_http_request_parse(ngx_campfire_ctx_t *ctx);

/* The formats wanted by the headers, for an answer before all that. */
void ngx_campfire_http_request_formats(ngx_campfire_ctx_t *ctx);

/* Is this media type the value of Content-Type, parameters aside? */
ngx_uint_t ngx_campfire_http_request_is_type(ngx_http_request_t *r,
    const char *type);

/* The value of a request header by lower-case name, or NULL. */
ngx_str_t *ngx_campfire_http_request_header(ngx_http_request_t *r,
    const char *name);

/* The Cookie header of that name, still escaped; NGX_DECLINED: none. */
ngx_int_t ngx_campfire_http_request_cookie(ngx_http_request_t *r,
    const char *name, ngx_str_t *value);


#endif /* _NGX_CAMPFIRE_HTTP_REQUEST_H_INCLUDED_ */
