
/*
 * The browser check of auth.md §15.1.
 */

#ifndef _NGX_CAMPFIRE_BASE_BROWSER_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_BROWSER_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * False only for a browser that is known and too old; whatever cannot be
 * recognised passes.
 */
ngx_uint_t ngx_campfire_base_browser_supported(const ngx_str_t *user_agent);


#endif /* _NGX_CAMPFIRE_BASE_BROWSER_H_INCLUDED_ */
