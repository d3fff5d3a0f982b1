
/*
 * What the access log may know: variables without secrets, and the route.
 */

#ifndef _NGX_CAMPFIRE_HTTP_LOG_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_LOG_H_INCLUDED_


#include "http/ngx_campfire_http.h"


/*
 * Adds $campfire_user_id, $campfire_cache and $campfire_request, the request
 * line with bot keys, codes and tokens masked.
 */
ngx_int_t ngx_campfire_http_log_variables(ngx_conf_t *cf);

/*
 * The function of `campfire_set_route $variable URI`: the pattern of the
 * route that URI belongs to, such as "/rooms/:id", or "-".
 */
ngx_int_t ngx_campfire_http_log_route(ngx_http_request_t *r, ngx_str_t *value,
    ngx_http_variable_value_t *v);


#endif /* _NGX_CAMPFIRE_HTTP_LOG_H_INCLUDED_ */
