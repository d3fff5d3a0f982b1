
/*
 * The pages of failures, which need nothing but themselves.
 */

#ifndef _NGX_CAMPFIRE_VIEW_ERRORS_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_ERRORS_H_INCLUDED_


#include "views/ngx_campfire_view.h"


typedef struct {
    ngx_str_t    title;
    ngx_str_t    text;
    ngx_uint_t   reload;           /* seconds, 0: stays */
    ngx_uint_t   retry;            /* a link to the same page */
    ngx_uint_t   back;             /* a link to the start */
} ngx_campfire_view_error_t;


/* NGX_DECLINED: this status has no page, the body stays empty. */
ngx_int_t ngx_campfire_view_errors_page(ngx_campfire_view_ctx_t *view,
    ngx_uint_t status, ngx_campfire_buf_t *out);


#endif /* _NGX_CAMPFIRE_VIEW_ERRORS_H_INCLUDED_ */
