
/*
 * The account's logo.
 */

#include "actions/ngx_campfire_action.h"
#include "views/ngx_campfire_view_asset.h"


ngx_int_t
ngx_campfire_action_logos_show(ngx_campfire_ctx_t *ctx)
{
    ngx_str_t                         body, *size;
    ngx_uint_t                        small;
    const ngx_campfire_view_asset_t  *asset;
    static ngx_str_t                  inline_ = ngx_string("inline");
    static ngx_str_t                  policy =
               ngx_string("max-age=300, public, "
                          "stale-while-revalidate=604800");

    size = ngx_campfire_http_param(ctx, "size");
    small = size && size->len == 5 && ngx_strncmp(size->data, "small", 5) == 0;

    asset = ngx_campfire_view_asset(small ? "images/logo-small.png"
                                          : "images/logo.png");
    if (asset == NULL) {
        return NGX_ERROR;
    }

    if (ngx_campfire_http_public(ctx, &policy) != NGX_OK
        || ngx_campfire_http_header(ctx, "Content-Disposition", &inline_)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    body = asset->data;

    return ngx_campfire_http_send(ctx, NGX_HTTP_OK, "image/png", &body);
}
