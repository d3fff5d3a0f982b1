
/*
 * The assets this module was built with.
 */

#include "views/ngx_campfire_view_asset.h"
#include "ngx_campfire_view_asset_table.h"


const ngx_campfire_view_asset_t *
ngx_campfire_view_asset(const char *name)
{
    const ngx_campfire_view_asset_t  *asset;

    for (asset = ngx_campfire_view_assets; asset->name; asset++) {
        if (ngx_strcmp(asset->name, name) == 0) {
            return asset;
        }
    }

    return NULL;
}
