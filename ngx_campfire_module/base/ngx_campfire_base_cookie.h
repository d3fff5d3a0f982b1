
/*
 * The Cookie request header.
 */

#ifndef _NGX_CAMPFIRE_BASE_COOKIE_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_COOKIE_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * Points value at the first cookie of that name, still escaped, inside
 * header.  NGX_DECLINED if there is none, or if the first has no "=" (which
 * Rack reads as nil).
 */
ngx_int_t ngx_campfire_base_cookie_find(const ngx_str_t *header,
    const ngx_str_t *name, ngx_str_t *value);


#endif /* _NGX_CAMPFIRE_BASE_COOKIE_H_INCLUDED_ */
