
/*
 * Pages that need nothing but the layout.
 */

#include "views/ngx_campfire_view_pages.h"
#include "ngx_campfire_views.h"


ngx_int_t
ngx_campfire_view_pages_unsupported(ngx_campfire_view_ctx_t *view,
    const ngx_str_t *user_agent, ngx_campfire_buf_t *out)
{
    ngx_campfire_view_page_t  page;
    static ngx_str_t          title = ngx_string("Unsupported browser");

    /* Apple's link previews claim to be two crawlers; give them the name */

    if (user_agent->len
        && ngx_strlcasestrn(user_agent->data,
                            user_agent->data + user_agent->len,
                            (u_char *) "facebookexternalhit", 19 - 1)
        && ngx_strlcasestrn(user_agent->data,
                            user_agent->data + user_agent->len,
                            (u_char *) "twitterbot", 10 - 1))
    {
        if (ngx_campfire_view_page_init(view, NULL, NULL, &page) != NGX_OK) {
            return NGX_ERROR;
        }

    } else if (ngx_campfire_view_page_init(view, &title, NULL, &page)
               != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_campfire_view_unsupported_browser(view, out, &page);

    return NGX_OK;
}
