
/*
 * The pages of failures.
 */

#include "views/ngx_campfire_view_errors.h"
#include "ngx_campfire_views.h"


static struct {
    ngx_uint_t                  status;
    ngx_campfire_view_error_t   error;
} ngx_campfire_view_errors[] = {

    { 404, { ngx_string("We can’t find that (404)"),
             ngx_string("There is nothing at this address, or it is not "
                        "meant for you."), 0, 0, 1 } },

    { 413, { ngx_string("That is too large (413)"),
             ngx_string("This server does not take so much at once."),
             0, 0, 1 } },

    { 422, { ngx_string("That didn’t work (422)"),
             ngx_string("Go back, load the page again and give it another "
                        "try."), 0, 0, 1 } },

    { 500, { ngx_string("Something went wrong (500)"),
             ngx_string("The server could not do this. If it happens again, "
                        "please tell whoever runs it."), 0, 1, 0 } },

    { 502, { ngx_string("Starting Campfire…"),
             ngx_string("This page loads again by itself in a moment."),
             10, 0, 0 } },

    { 503, { ngx_string("One moment, please (503)"),
             ngx_string("Campfire is busy. This page loads again by itself "
                        "in a moment."), 10, 1, 0 } },

    { 0, { ngx_null_string, ngx_null_string, 0, 0, 0 } }
};


ngx_int_t
ngx_campfire_view_errors_page(ngx_campfire_view_ctx_t *view,
    ngx_uint_t status, ngx_campfire_buf_t *out)
{
    ngx_uint_t  i;

    for (i = 0; ngx_campfire_view_errors[i].status; i++) {
        if (ngx_campfire_view_errors[i].status == status) {
            ngx_campfire_view_error(view, out,
                                    &ngx_campfire_view_errors[i].error);
            return NGX_OK;
        }
    }

    return NGX_DECLINED;
}
