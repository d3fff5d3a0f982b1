
/*
 * Pages that need nothing but the layout.
 */

#ifndef _NGX_CAMPFIRE_VIEW_PAGES_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_PAGES_H_INCLUDED_


#include "views/ngx_campfire_view.h"


/* For browsers below the gate (routes.md §2.5). */
ngx_int_t ngx_campfire_view_pages_unsupported(ngx_campfire_view_ctx_t *view,
    const ngx_str_t *user_agent, ngx_campfire_buf_t *out);


#endif /* _NGX_CAMPFIRE_VIEW_PAGES_H_INCLUDED_ */
