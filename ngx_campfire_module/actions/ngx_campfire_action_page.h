
/*
 * Pages of messages, from the cache or made anew.
 */

#ifndef _NGX_CAMPFIRE_ACTION_PAGE_H_INCLUDED_
#define _NGX_CAMPFIRE_ACTION_PAGE_H_INCLUDED_


#include "http/ngx_campfire_http.h"


typedef enum {
    NGX_CAMPFIRE_ACTION_PAGE_LAST = 0,
    NGX_CAMPFIRE_ACTION_PAGE_BEFORE,
    NGX_CAMPFIRE_ACTION_PAGE_AFTER,
    NGX_CAMPFIRE_ACTION_PAGE_AROUND
} ngx_campfire_action_page_e;


/*
 * The fragments of a page, and the time of its newest change (0: the page is
 * empty).  The caller has seen to it that the viewer is in the room; what is
 * shown is the same for all who are.  anchor is not looked at for LAST;
 * NGX_DECLINED: it is not in the room.
 */
ngx_int_t ngx_campfire_action_page(ngx_campfire_ctx_t *ctx, int64_t room_id,
    ngx_campfire_action_page_e which, int64_t anchor,
    ngx_campfire_html_t *html, int64_t *updated_at);


#endif /* _NGX_CAMPFIRE_ACTION_PAGE_H_INCLUDED_ */
