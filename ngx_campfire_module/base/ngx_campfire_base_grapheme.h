
/*
 * Extended grapheme clusters (UAX #29, Unicode 16): what a reader counts as
 * one character, a family of emoji included.
 */

#ifndef _NGX_CAMPFIRE_BASE_GRAPHEME_H_INCLUDED_
#define _NGX_CAMPFIRE_BASE_GRAPHEME_H_INCLUDED_


#include "base/ngx_campfire_base.h"


/*
 * The end of the cluster that begins at p, which is before last.  A byte that
 * is not UTF-8 is a character of its own.
 */
const u_char *ngx_campfire_base_grapheme_next(const u_char *p,
    const u_char *last);

/* The number of clusters, or max + 1 as soon as there are more than max. */
ngx_uint_t ngx_campfire_base_grapheme_count(const u_char *p, size_t len,
    ngx_uint_t max);


#endif /* _NGX_CAMPFIRE_BASE_GRAPHEME_H_INCLUDED_ */
