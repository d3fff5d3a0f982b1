
/*
 * The `campfire_status` page.
 */

#ifndef _NGX_CAMPFIRE_HTTP_STATUS_H_INCLUDED_
#define _NGX_CAMPFIRE_HTTP_STATUS_H_INCLUDED_


#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/*
 * The content handler of a location with `campfire_status`: counters and
 * gauges of all instances in Prometheus's text format, to GET and HEAD; 405
 * for other methods.
 */
ngx_int_t ngx_campfire_http_status_handler(ngx_http_request_t *r);


#endif /* _NGX_CAMPFIRE_HTTP_STATUS_H_INCLUDED_ */
