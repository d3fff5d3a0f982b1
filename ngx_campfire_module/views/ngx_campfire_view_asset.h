
/*
 * The assets this module was built with: their paths, and the bytes of those
 * it serves itself.
 */

#ifndef _NGX_CAMPFIRE_VIEW_ASSET_H_INCLUDED_
#define _NGX_CAMPFIRE_VIEW_ASSET_H_INCLUDED_


#include "views/ngx_campfire_view.h"


typedef struct {
    const char   *name;        /* as templates name it: "images/logo.png" */
    ngx_str_t     path;        /* "/assets/logo-0123abcd.png" */
    ngx_str_t     data;        /* data NULL: only nginx serves it */
} ngx_campfire_view_asset_t;


/* NULL: there is no such asset. */
const ngx_campfire_view_asset_t *ngx_campfire_view_asset(const char *name);


#endif /* _NGX_CAMPFIRE_VIEW_ASSET_H_INCLUDED_ */
